import { expectEqual, expectJsonType, expectThat } from '../../assertions/expect.ts'
import { OutOfScope } from '../../assertions/failure.ts'
import type { AccountDraft } from '../../session/account.ts'
import type { PlatformCheck, PlatformCheckSession } from '../../session/check.ts'
import {
  accountNamed,
  excuseLater,
  expectNoSuccess,
  isClientError,
  listedAs,
  listedSample,
  newIn,
  sampleLists,
} from '../../session/platform-expect.ts'
import { creating, reading, sampling } from './scopes.ts'

/** A server may reject an account for its name or balance. If it accepts one, it must store it as sent. */
async function createIfTaken({ platform }: PlatformCheckSession, draft: AccountDraft) {
  const response = await platform.create(draft)
  if (isClientError(response)) throw new OutOfScope(`such an account is rejected: ${response.status} ${response.text}`)
  return response
}

/** Creates an account and returns the listed one. */
async function createAndFind(session: PlatformCheckSession, draft: AccountDraft) {
  const { platform } = session
  const before = await platform.list()
  const response = await createIfTaken(session, draft)
  const after = await platform.list()
  if (newIn(before, after).length === 0) excuseLater(response)
  return listedAs(draft.name, before, after)
}

/** The list need not show group and leverage. */
function expectAsSent(listed: Readonly<Record<string, unknown>>, draft: AccountDraft): void {
  const optional = (['group', 'leverage'] as const).filter((field) => field in listed)
  for (const field of ['name', 'balance', 'currency', ...optional] as const) {
    expectEqual(`trading-account.${field}-changed`, listed[field], draft[field])
  }
}

/** Differs from the sample in every field: data of the first account must not appear in the second. */
function otherDraft({ platform }: PlatformCheckSession): AccountDraft {
  const draft = platform.draft({ leverage: 500, currency: 'EUR', balance: 2_500.5 })
  return { ...draft, name: `${draft.name} Second` }
}

/** Clause 2.2: the accounts in the list, whose path is not specified. */
export const listedAccountChecks: readonly PlatformCheck[] = [
  {
    id: 'CP-221',
    requirement: 'platform.list.shows-created',
    title: 'The list of trading accounts contains a newly created account',
    ...sampling,
    async run({ platform }) {
      const { draft, listBefore, listAfter } = await sampleLists(platform)
      const isThere = accountNamed(listAfter, draft.name) !== undefined || newIn(listBefore, listAfter).length > 0
      expectThat(isThere, 'trading-account.not-listed', {
        expected: draft.name,
        actual: listAfter.accounts.map(({ name }) => name).slice(-5),
        difference: null,
      })
    },
  },
  {
    id: 'CP-222',
    requirement: 'platform.list.shows-once',
    title: 'The list of trading accounts contains a newly created account exactly once',
    ...sampling,
    async run({ platform }) {
      const { draft, listBefore, listAfter } = await sampleLists(platform)
      const { name = draft.name } = listedAs(draft.name, listBefore, listAfter)
      expectEqual(
        'trading-account.listed-times-wrong',
        listAfter.accounts.filter((account) => account.name === name).length,
        1,
      )
    },
  },
  {
    id: 'CP-223',
    requirement: 'platform.list.as-sent',
    title: 'The list of trading accounts shows a new account with the values of its POST',
    ...sampling,
    async run({ platform }) {
      const { draft } = await platform.created()
      expectAsSent(await listedSample(platform), draft)
    },
  },
  {
    id: 'CP-227',
    requirement: 'platform.list.json-content-type',
    title: 'The list of trading accounts has Content-Type application/json',
    ...reading,
    run: async ({ platform }) => expectJsonType((await platform.list()).response),
  },
  {
    id: 'CP-228',
    requirement: 'platform.list.needs-key',
    title: 'The list of trading accounts is not disclosed without a key or with a wrong key',
    ...reading,
    async run({ platform }) {
      if (platform.mayTryAnything) await platform.created()
      const names = (await platform.list()).accounts.map(({ name }) => name)
      for (const key of [null, 'not-the-key']) {
        const response = await platform.listWith({ key })
        expectNoSuccess(response)
        const shown = names.filter(
          (name) => typeof name === 'string' && name.length > 3 && response.text.includes(name),
        )
        expectThat(shown.length === 0, 'response.shows-accounts', { difference: null, response })
      }
    },
  },
  {
    id: 'CP-229',
    requirement: 'platform.list.keeps-others',
    title: 'POST /v1/trading-accounts leaves previously listed accounts unchanged',
    ...creating,
    creates: 1,
    async run(session) {
      const { platform } = session
      await platform.created()
      const before = await platform.list()
      await createIfTaken(session, platform.draft())
      const after = await platform.list()
      // The balance of a foreign account changes while it is traded.
      const contents = ({ name, currency, balance }: Readonly<Record<string, unknown>>) =>
        JSON.stringify(platform.owned ? { name, currency, balance } : { name, currency })
      const rest = after.accounts.map(contents)
      for (const account of before.accounts.map(contents)) {
        const at = rest.indexOf(account)
        expectThat(at !== -1, 'trading-account.other-changed', {
          expected: account,
          actual: rest.slice(-5),
          difference: null,
        })
        rest.splice(at, 1)
      }
    },
  },
  {
    id: 'CP-230',
    requirement: 'platform.list.as-sent',
    title: 'The list of trading accounts shows a name with quotes, backslashes and several scripts as sent',
    ...creating,
    creates: 1,
    async run(session) {
      const plain = session.platform.draft()
      const draft = { ...plain, name: `${plain.name} "Ünï" \\ 'Łódź' Ελλάδα 東京 🙂` }
      expectEqual('trading-account.name-changed', (await createAndFind(session, draft)).name, draft.name)
    },
  },
  {
    id: 'CP-231',
    requirement: 'platform.list.as-sent',
    title: 'The list of trading accounts shows a balance of 123456789.12 to the cent',
    ...creating,
    creates: 1,
    async run(session) {
      const draft = session.platform.draft({ balance: 123_456_789.12 })
      const { balance } = await createAndFind(session, draft)
      expectThat(
        typeof balance === 'number' && Math.abs(balance - draft.balance) < 0.005,
        'trading-account.balance-changed',
        { expected: draft.balance, actual: balance },
      )
    },
  },
  {
    id: 'CP-232',
    requirement: 'platform.list.as-sent',
    title: 'The list of trading accounts shows a second account with the values of its POST',
    ...creating,
    creates: 1,
    async run(session) {
      await session.platform.created()
      const draft = otherDraft(session)
      expectAsSent(await createAndFind(session, draft), draft)
    },
  },
]
