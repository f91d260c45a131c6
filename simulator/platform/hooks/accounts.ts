import type { Json } from '../../server/response.ts'
import { CodedErrorResponse } from '../coded-error-response.ts'
import { openAccount, sameTerms, type TradingAccount, type TradingAccountTerms } from '../model/trading-account.ts'
import type { PlatformProfile } from '../profile/profile.ts'

/** An account with all its fields. */
function wholeBody({ id, name, group, leverage, currency, balance, createdAt }: TradingAccount): Json {
  return { id, name, group, leverage, currency, balance, created_at: createdAt }
}

const listedBodies: Readonly<Record<PlatformProfile['platform.list.fields'], (account: TradingAccount) => Json>> = {
  more: wholeBody,
  'creation-fields': ({ name, group, leverage, currency, balance }) => ({ name, group, leverage, currency, balance }),
  known: ({ name, balance, currency }) => ({ name, balance, currency }),
}

const envelopes: Readonly<Record<PlatformProfile['platform.list.envelope'], (accounts: readonly Json[]) => Json>> = {
  data: (accounts) => ({ data: accounts }),
  array: (accounts) => accounts,
  named: (accounts) => ({ trading_accounts: accounts }),
  nested: (accounts) => ({ data: { trading_accounts: accounts } }),
}

const createdBodies: Readonly<
  Record<PlatformProfile['platform.create.body'], (account: TradingAccount) => Json | undefined>
> = {
  data: (account) => ({ data: wholeBody(account) }),
  bare: wholeBody,
  empty: () => undefined,
}

/** How accounts are created and listed (clause 4.1). */
export function accountsHooks(profile: PlatformProfile) {
  const newestFirst = profile['platform.list.order'] === 'newest-first'
  const honoursLimit = profile['platform.list.limit'] === 'honoured'
  const sendsLocation = profile['platform.create.location'] === 'sent'
  return {
    /** The existing account with these terms, if no second one is created. @throws ErrorResponse */
    judgeRepetition: (terms: TradingAccountTerms, accounts: readonly TradingAccount[]): TradingAccount | undefined => {
      const answer = profile['platform.create.same-twice']
      const same = answer === 'accepted' ? undefined : accounts.find((account) => sameTerms(account, terms))
      if (same === undefined || answer === 'once') return same
      throw new CodedErrorResponse(Number(answer), 'duplicate_account', 'An account with these terms already exists.')
    },
    openAccount,
    /** The accounts with the new one among them. */
    addAccount: (accounts: readonly TradingAccount[], account: TradingAccount): readonly TradingAccount[] => [
      ...accounts,
      account,
    ],
    /** The accounts to list, from those that are stored. */
    listedAccounts: (accounts: readonly TradingAccount[], query: string): readonly TradingAccount[] => {
      const ordered = newestFirst ? accounts.toReversed() : accounts
      const limit = Number(new URLSearchParams(query).get('limit') ?? Number.NaN)
      return honoursLimit && Number.isInteger(limit) && limit >= 0 ? ordered.slice(0, limit) : ordered
    },
    /** One account as the list shows it. */
    listedBody: listedBodies[profile['platform.list.fields']],
    listBody: envelopes[profile['platform.list.envelope']],
    /** One account as the response to its creation shows it. */
    createdBody: createdBodies[profile['platform.create.body']],
    createdStatus: Number(profile['platform.create.status']),
    createdHeaders: ({ id }: TradingAccount): Readonly<Record<string, string>> =>
      sendsLocation ? { Location: `/v1/trading-accounts/${id}` } : {},
    singleBody: (account: TradingAccount): Json => ({ data: wholeBody(account) }),
    /** Runs before the response to a creation is sent; rejects if the account must not be created. */
    save: (write: () => Promise<void>): Promise<void> => write(),
  }
}
