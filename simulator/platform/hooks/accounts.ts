import type { Mutex } from 'async-mutex'
import { ErrorResponse } from '../../server/error-response.ts'
import type { Json } from '../../server/response.ts'
import { CodedErrorResponse } from '../coded-error-response.ts'
import { openAccount, sameTerms, type TradingAccount, type TradingAccountTerms } from '../model/trading-account.ts'
import type { PlatformProfile } from '../profile/profile.ts'

/** How accounts are created and listed (clause 4.1). */
export interface AccountsHooks {
  /** The existing account with these terms, if no second one is created. @throws ErrorResponse */
  readonly judgeRepetition: (
    terms: TradingAccountTerms,
    accounts: readonly TradingAccount[],
  ) => TradingAccount | undefined
  readonly openAccount: typeof openAccount
  /** The accounts with the new one among them. */
  readonly addAccount: (accounts: readonly TradingAccount[], account: TradingAccount) => readonly TradingAccount[]
  /** The accounts in the list, of those that are stored. */
  readonly listedAccounts: (accounts: readonly TradingAccount[], query: string) => readonly TradingAccount[]
  /** One account as the list shows it. */
  readonly listedBody: (account: TradingAccount) => Json
  readonly listBody: (accounts: readonly Json[]) => Json
  /** One account as the response to its creation shows it. */
  readonly createdBody: (account: TradingAccount) => Json | undefined
  readonly createdStatus: number
  readonly createdHeaders: (account: TradingAccount) => Readonly<Record<string, string>>
  readonly singleBody: (account: TradingAccount) => Json
  /** Runs before the response to a creation is sent; rejects if the account must not be created. */
  readonly save: (write: () => Promise<void>) => Promise<void>
  /** Runs a creation when the creations before it are finished. */
  readonly serialise: <Result>(mutex: Mutex, change: () => Promise<Result>) => Promise<Result>
  readonly notSaved: () => ErrorResponse
}

/** An account with all its fields. */
export function wholeBody({ id, name, group, leverage, currency, balance, createdAt }: TradingAccount): Json {
  return { id, name, group, leverage, currency, balance, created_at: createdAt }
}

const listedBodies: Readonly<Record<PlatformProfile['platform.list.fields'], AccountsHooks['listedBody']>> = {
  more: wholeBody,
  'creation-fields': ({ name, group, leverage, currency, balance }) => ({ name, group, leverage, currency, balance }),
  known: ({ name, balance, currency }) => ({ name, balance, currency }),
}

const envelopes: Readonly<Record<PlatformProfile['platform.list.envelope'], AccountsHooks['listBody']>> = {
  data: (accounts) => ({ data: accounts }),
  array: (accounts) => accounts,
  named: (accounts) => ({ trading_accounts: accounts }),
  nested: (accounts) => ({ data: { trading_accounts: accounts } }),
}

const createdBodies: Readonly<Record<PlatformProfile['platform.create.body'], AccountsHooks['createdBody']>> = {
  data: (account) => ({ data: wholeBody(account) }),
  bare: wholeBody,
  empty: () => undefined,
}

export function accountsHooks(profile: PlatformProfile): AccountsHooks {
  const newestFirst = profile['platform.list.order'] === 'newest-first'
  const honoursLimit = profile['platform.list.limit'] === 'honoured'
  const sendsLocation = profile['platform.create.location'] === 'sent'
  return {
    judgeRepetition: (terms, accounts) => {
      const answer = profile['platform.create.same-twice']
      const same = answer === 'accepted' ? undefined : accounts.find((account) => sameTerms(account, terms))
      if (same === undefined || answer === 'once') return same
      throw new CodedErrorResponse(Number(answer), 'duplicate_account', 'An account with these terms already exists.')
    },
    openAccount,
    addAccount: (accounts, account) => [...accounts, account],
    listedAccounts: (accounts, query) => {
      const ordered = newestFirst ? accounts.toReversed() : accounts
      const limit = Number(new URLSearchParams(query).get('limit') ?? Number.NaN)
      return honoursLimit && Number.isInteger(limit) && limit >= 0 ? ordered.slice(0, limit) : ordered
    },
    listedBody: listedBodies[profile['platform.list.fields']],
    listBody: envelopes[profile['platform.list.envelope']],
    createdBody: createdBodies[profile['platform.create.body']],
    createdStatus: Number(profile['platform.create.status']),
    createdHeaders: ({ id }): Readonly<Record<string, string>> =>
      sendsLocation ? { Location: `/v1/trading-accounts/${id}` } : {},
    singleBody: (account) => ({ data: wholeBody(account) }),
    save: (write) => write(),
    serialise: (mutex, change) => mutex.runExclusive(change),
    notSaved: () => new ErrorResponse(500, 'Internal server error: the account could not be saved.'),
  }
}
