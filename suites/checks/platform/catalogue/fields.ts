import type { AccountDraft } from '../../../session/account.ts'
import { accountText } from '../../../session/account-body.ts'
import type { PlatformObservation } from '../../../session/check.ts'
import { accountNamed, isMembers } from '../../../session/platform-expect.ts'
import type { PlatformSession } from '../../../session/platform-session.ts'
import { creating, onlyOwn } from '../scopes.ts'
import { lookAtAccount, refusedOrAccepted } from './seen.ts'

/** One unusual field of an account that is otherwise ordinary. */
interface Odd {
  readonly id: string
  readonly question: string
  readonly title: string
  /** `undefined` leaves a member out. */
  readonly changes: (draft: AccountDraft) => Readonly<Record<string, unknown>>
}

/** Sent to any platform: an account that results has the announced group and name. */
const ordinaryNames: readonly Odd[] = [
  odd('120', 'balance-zero', 'balance 0', () => ({ balance: 0 })),
  odd('121', 'balance-negative', 'balance -1', () => ({ balance: -1 })),
  odd('122', 'leverage-zero', 'leverage 0', () => ({ leverage: 0 })),
  odd('123', 'leverage-negative', 'leverage -100', () => ({ leverage: -100 })),
  odd('124', 'leverage-decimal', 'leverage 100.5', () => ({ leverage: 100.5 })),
  odd('125', 'leverage-text', 'leverage "100"', () => ({ leverage: '100' })),
  odd('126', 'leverage-large', 'leverage 100000', () => ({ leverage: 100_000 })),
  odd('127', 'currency-unknown', 'currency QQQ', () => ({ currency: 'QQQ' })),
  odd('128', 'currency-lower-case', 'currency usd', ({ currency }) => ({
    currency: currency.toLowerCase(),
  })),
  odd('129', 'currency-two-letters', 'currency US', () => ({ currency: 'US' })),
  odd('130', 'currency-symbol', 'currency $', () => ({ currency: '$' })),
  odd('131', 'balance-text', 'balance "1000"', () => ({ balance: '1000' })),
  odd('132', 'balance-null', 'balance null', () => ({ balance: null })),
  odd('133', 'missing-leverage', 'no leverage', () => ({ leverage: undefined })),
  odd('134', 'missing-currency', 'no currency', () => ({ currency: undefined })),
  odd('135', 'missing-balance', 'no balance', () => ({ balance: undefined })),
  odd('136', 'name-long', 'a name of 300 characters', ({ name }) => ({ name: name.padEnd(300, 'x') })),
]

/** Sent only to a platform of the kit, since the resulting group or name is unknown. */
const oddNames: readonly Odd[] = [
  odd('141', 'missing-name', 'no name', () => ({ name: undefined })),
  odd('142', 'missing-group', 'no group', () => ({ group: undefined })),
  odd('143', 'name-empty', 'an empty name', () => ({ name: '' })),
  odd('144', 'name-number', 'name 7', () => ({ name: 7 })),
  odd('145', 'group-number', 'group 7', () => ({ group: 7 })),
  odd('146', 'group-unknown', 'an unknown group', () => ({ group: 'no-such-group' })),
  odd('147', 'group-upper-case', 'an upper-case group', ({ group }) => ({
    group: group.toUpperCase(),
  })),
]

function odd(number: string, point: string, fields: string, changes: Odd['changes']): Odd {
  const title = `POST /v1/trading-accounts with ${fields} shows whether the account is created`
  return { id: `CPQ-${number}`, question: `platform.create.${point}`, title, changes }
}

function run(changes: Odd['changes']): PlatformObservation['run'] {
  return ({ platform }) => {
    const draft = platform.draft()
    return lookAtAccount(platform, { body: accountText(draft, changes(draft)) }, refusedOrAccepted)
  }
}

/** Clause 2.2: which fields of an account a platform takes. */
export const fieldObservations: readonly PlatformObservation[] = [
  {
    id: 'CPQ-119',
    question: 'platform.create.balance-third-decimal',
    title: 'POST /v1/trading-accounts with balance 1000.125 shows how a third decimal is handled',
    ...creating,
    creates: 1,
    async run({ platform }) {
      await platform.created()
      const draft = platform.draft({ balance: 1_000.125 })
      const response = await platform.create(draft)
      if (response.status > 299) {
        const answer = ({ 400: '400', 422: '422' } as const)[response.status] ?? null
        return { answer, seen: `status ${response.status}` }
      }
      const balance = await storedBalance(platform, draft, response.json)
      if (balance === undefined) return { answer: null, seen: 'neither the response nor a list shows the balance' }
      return { answer: Number(balance) === draft.balance ? 'kept' : 'rounded', seen: String(balance) }
    },
  },
  ...ordinaryNames.map(
    ({ changes, ...head }): PlatformObservation => ({
      ...head,
      ...creating,
      creates: 1,
      run: run(changes),
    }),
  ),
  ...oddNames.map(
    ({ changes, ...head }): PlatformObservation => ({
      ...head,
      ...onlyOwn,
      run: run(changes),
    }),
  ),
]

/** The balance in the list; without a list, the one in the response to the creation. */
async function storedBalance(platform: PlatformSession, { name }: AccountDraft, json: unknown): Promise<unknown> {
  if ((await platform.listPath()) !== null) return accountNamed(await platform.list(), name)?.balance
  const bare = isMembers(json) ? json : {}
  return isMembers(bare.data) ? bare.data.balance : bare.balance
}
