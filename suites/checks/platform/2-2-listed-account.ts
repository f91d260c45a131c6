import { setTimeout as pause } from 'node:timers/promises'
import { expectEqual, expectThat } from '../../assertions/expect.ts'
import { after, OutOfScope } from '../../assertions/failure.ts'
import { isSuccess } from '../../client/response.ts'
import { type AccountDraft, accountText, rejectAtLimit } from '../../session/account.ts'
import { type AccountList, contentOf } from '../../session/account-list.ts'
import {
  accountNamed,
  expectAsSent,
  expectName,
  expectSuccess,
  expectToTheCent,
  hasBalanceOf,
  isClientError,
  listedAfter,
  listedSample,
  listWhen,
  newIn,
  requireFraction,
  sampleLists,
} from '../../session/platform-expect.ts'
import type { PlatformSession } from '../../session/platform-session.ts'
import { checks, creating, creatingOne, disposableOnly, sampling } from './scopes.ts'

/** Creates an account. `found`: the listed one, and the lists before and after; null if its content is rejected. */
async function tryToCreate(platform: PlatformSession, draft: AccountDraft, mayCreateNext = false) {
  const before = await platform.list()
  const response = await platform.create(draft)
  rejectAtLimit(response)
  // The key and the signature are right, so only the content may be rejected, and as the error of the client.
  if (response.status === 401 || response.status >= 500) expectSuccess(response)
  if (isClientError(response) && response.status !== 429) return { response, found: null }
  // The account may have broken the list.
  expectSuccess(await platform.listWith({}))
  if (isSuccess(response) && response.status !== 202 && mayCreateNext) await expectListedBeforeNext(platform, before)
  return { response, found: await listedAfter(platform, draft, before, response) }
}

/** A server may list a new account with a delay, but not after the next one. */
async function expectListedBeforeNext(platform: PlatformSession, before: AccountList): Promise<void> {
  if (newIn(before, await listWhen(platform, (list) => newIn(before, list).length > 0)).length > 0) return
  const next = platform.draft()
  await platform.create(next)
  const list = await listWhen(platform, (shown) => newIn(before, shown).length > 1)
  const isRight = accountNamed(list, next.name) === undefined || newIn(before, list).length > 1
  expectThat(isRight, 'trading-account.not-listed', { actual: list.accounts.slice(-5), difference: null })
}

async function createAndFind(platform: PlatformSession, draft: AccountDraft) {
  const { response, found } = await tryToCreate(platform, draft)
  if (found === null) throw new OutOfScope(`such an account is rejected: ${response.status} ${response.text}`)
  return found
}

const showsName = (change: (name: string) => string) => async (platform: PlatformSession) => {
  const plain = platform.draft()
  const draft = { ...plain, name: change(plain.name) }
  expectName((await createAndFind(platform, draft)).listed, draft)
}

type Change = readonly [what: string, changed: Partial<AccountDraft>]

const listsIfAccepted =
  (changesOf: (platform: PlatformSession) => readonly Change[]) => async (platform: PlatformSession) => {
    for (const [what, changed] of changesOf(platform)) {
      const draft = platform.draft(changed)
      await after(`POST with ${what}`, async () => {
        const { found } = await tryToCreate(platform, draft, true)
        if (found !== null) expectAsSent(found.listed, draft)
      })
    }
  }

const each = <Field extends keyof AccountDraft>(what: string, field: Field, values: readonly AccountDraft[Field][]) =>
  values.map((value): Change => [`${what} ${value}`, { [field]: value }])

/** Names that a server may take for something else, cut, or change. */
const unusualNames = (name: string): readonly Change[] => [
  ['a name of digits', { name: `0${Date.now()}` }],
  ...each('the name', 'name', ['1e5', 'null', 'true']),
  ['a line feed in the name', { name: `${name}\nB` }],
  ['a tab in the name', { name: `${name}\tB` }],
  ['U+0000 in the name', { name: `${name}\u0000B` }],
  ['U+200B in the name', { name: `${name}\u200bB` }],
  ['a letter and its accent as two characters in the name', { name: `${name} Cafe\u0301` }],
  ...[70, 140, 270, 600].map(
    (length): Change => [`a name of ${length} characters`, { name: name.padEnd(length, ' long') }],
  ),
]

/** After this time in ms, a cache of a list or of an account has usually ended. */
const cachedMs = 2_000

/** The beginning of the names of all accounts of the kit. */
const labelOf = ({ name }: AccountDraft) => name.replace(/\d+$/, '')

/** The accounts that were listed before a creation are listed afterwards too, and only one got its balance. */
function expectOthersKept({ owned }: PlatformSession, draft: AccountDraft, before: AccountList, after: AccountList) {
  const label = labelOf(draft)
  // The balance of a foreign account may change while it is traded.
  const contents = (account: Readonly<Record<string, unknown>>) => {
    const { name, currency } = account
    return owned || String(name).startsWith(label) ? contentOf(account) : JSON.stringify({ name, currency })
  }
  const rest = after.accounts.map(contents)
  for (const account of before.accounts.map(contents)) {
    const at = rest.indexOf(account)
    const sides = { expected: account, actual: rest.slice(-5), difference: null }
    expectThat(at !== -1, 'trading-account.other-changed', sides)
    rest.splice(at, 1)
  }
  // Another check judges an account that is listed twice.
  const having = ({ accounts }: AccountList) =>
    new Set(accounts.flatMap(({ name, balance }) => (balance === draft.balance ? name : []))).size
  expectThat(having(after) - having(before) <= 1, 'trading-account.other-changed', {
    expected: 'the new balance on one account',
    actual: after.accounts.filter(({ balance }) => balance === draft.balance).slice(-5),
    difference: null,
  })
}

/** Clause 2.2: the accounts in the list, whose path is not specified. */
export const listedAccountChecks = [
  ...checks(sampling, 'platform.list.shows-created', {
    'CP-221 The list of trading accounts contains a newly created account': async (platform) => {
      const { draft, listBefore, listAfter } = await sampleLists(platform)
      // Another check judges its name.
      const isNew = newIn(listBefore, listAfter).some((account) => hasBalanceOf(account, draft))
      const isThere = isNew || accountNamed(listAfter, draft.name) !== undefined
      expectThat(isThere, 'trading-account.not-listed', {
        expected: draft.name,
        actual: listAfter.accounts.map(({ name }) => name).slice(-5),
        difference: null,
      })
    },
  }),
  ...checks(sampling, 'platform.list.shows-once', {
    'CP-222 The list of trading accounts contains a newly created account exactly once': async (platform) => {
      const { account, list } = await listedSample(platform)
      const { name = (await platform.created()).draft.name } = account
      const { length } = list.accounts.filter((listed) => listed.name === name)
      expectEqual('trading-account.listed-times-wrong', length, 1)
    },
  }),
  ...checks(sampling, 'platform.list.as-sent', {
    'CP-223 The list of trading accounts shows a new account with the values of its POST': async (platform) => {
      const { draft } = await platform.created()
      expectAsSent((await listedSample(platform)).account, draft)
    },
  }),
  ...checks(sampling, 'platform.list.keeps-others', {
    'CP-233 The first POST /v1/trading-accounts of a run leaves accounts of other clients unchanged': async (
      platform,
    ) => {
      const { draft, listBefore, listAfter } = await sampleLists(platform)
      expectOthersKept(platform, draft, listBefore, listAfter)
    },
  }),
  ...checks(creatingOne, 'platform.list.keeps-others', {
    'CP-229 POST /v1/trading-accounts leaves previously listed accounts unchanged': async (platform) => {
      await platform.created()
      const draft = platform.draft()
      const { before, after } = await createAndFind(platform, draft)
      expectOthersKept(platform, draft, before, after)
    },
  }),
  ...checks(creatingOne, 'platform.list.as-sent', {
    'CP-230 The list of trading accounts shows a name with quotes, backslashes and several scripts as sent': showsName(
      (name) => `${name} "Ünï" \\ 'Łódź' Ελλάδα 東京 🙂`,
    ),
    'CP-235 The list of trading accounts shows a name with markup, percent signs and repeated spaces as sent':
      showsName((name) => `${name} <b>A&B</b> &amp; %41+$x {y}  z, {{x}} \${y}`),
    'CP-231 The list of trading accounts shows a balance of 123456789.12 to the cent': async (platform) => {
      requireFraction(platform)
      const draft = platform.draft({ balance: 123_456_789.12 })
      expectToTheCent((await createAndFind(platform, draft)).listed.balance, draft.balance)
    },
    'CP-232 The list of trading accounts shows a second account with the values of its POST': async (platform) => {
      await platform.created()
      // Differs in every field, since data of the first account must not appear in the second.
      const currency = platform.draft().currency === 'EUR' ? 'USD' : 'EUR'
      const other = platform.draft({ leverage: 500, currency, balance: 2_500.5 })
      const draft = { ...other, name: `${other.name} Second` }
      expectAsSent((await createAndFind(platform, draft)).listed, draft)
    },
  }),
  ...checks({ ...creating, creates: 2 }, 'platform.list.as-sent', {
    // Whether it is accepted is a question.
    'CP-234 The list of trading accounts shows an accepted balance of 0 as sent': listsIfAccepted(() => [
      ['a balance of 0', { balance: 0 }],
    ]),
  }),
  ...checks(disposableOnly, 'platform.list.as-sent', {
    'CP-236 The list of trading accounts shows accepted names of digits, with control characters and long ones as sent':
      listsIfAccepted(({ draft }) => unusualNames(draft().name)),
    'CP-237 The list of trading accounts shows accepted unusual balances, leverages and currencies as sent':
      listsIfAccepted(() => [
        ...each('a balance of', 'balance', [0.5, 1.15, 4.35, 1.1, 0.07, 3_000_000_000]),
        ...each('a leverage of', 'leverage', [1, 30, 1000]),
        ...each('the currency', 'currency', ['GBP', 'CHF', 'JPY', 'KWD']),
      ]),
    'CP-241 A creation with a name or balance that is missing or null does not get the value of the creation before':
      async (platform) => {
        for (const field of ['name', 'balance'] as const) {
          for (const missing of [undefined, null]) {
            const previous = platform.draft()
            const { after: before } = await createAndFind(platform, previous)
            const body = accountText(platform.draft(), { [field]: missing })
            const response = await platform.createText(body)
            // Whether it is accepted, and what it gets then, is a question.
            if (!isSuccess(response)) continue
            const list = await listWhen(platform, (shown) => newIn(before, shown).length > 0)
            const isTaken = newIn(before, list).some((account) => account[field] === previous[field])
            expectThat(!isTaken, `trading-account.${field}-changed`, {
              expected: `not the ${field} of the request before`,
              actual: previous[field],
              difference: null,
            })
          }
        }
      },
  }),
  ...checks({ ...disposableOnly, tolerates: ['rejection'] }, 'platform.list.shows-once', {
    'CP-238 The list of trading accounts shows both of two accepted accounts with one name': async (platform) => {
      const first = platform.draft()
      const second = platform.draft({ name: first.name })
      await createAndFind(platform, first)
      // Whether a name may be used twice is not specified.
      const response = await platform.create(second)
      if (!isSuccess(response)) return
      const named = ({ accounts }: AccountList) => accounts.filter(({ name }) => name === first.name)
      const list = await listWhen(platform, (shown) => named(shown).length > 1)
      // With any other status than 201 it may be the first account, which then is as before.
      const mayBeFirst = named(list).length < 2 && response.status !== 201
      const expected = mayBeFirst ? [first.balance] : [first.balance, second.balance]
      const balances = named(list).map(({ balance }) => balance)
      expectEqual('trading-account.listed-times-wrong', balances.toSorted(), expected.toSorted())
    },
  }),
  ...checks({ ...sampling, concludes: true }, 'platform.list.keeps-others', {
    'CP-239 The list of trading accounts shows every account of the kit unchanged at the end of the run, and after 2 s':
      async (platform) => {
        const { draft } = await platform.created()
        await listedSample(platform)
        const isOwn = (account: string) => account.includes(JSON.stringify(labelOf(draft)).slice(1, -1))
        const own = [...platform.shown].filter(([account]) => isOwn(account))
        const first = Math.min(...own.map(([, shownAt]) => shownAt))
        await pause(Math.max(0, first + cachedMs - performance.now()))
        // An account may have broken the list.
        expectSuccess(await platform.listWith({}))
        const { accounts } = await platform.list()
        const now = new Set(accounts.map(contentOf))
        const changed = own.flatMap(([account]) => (now.has(account) ? [] : account))
        expectThat(changed.length === 0, 'trading-account.other-changed', {
          expected: changed.slice(0, 5),
          actual: accounts.slice(-5),
          difference: null,
        })
      },
  }),
]
