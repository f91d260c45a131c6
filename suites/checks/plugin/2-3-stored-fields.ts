import { exactDifference, expectEqual, expectExactly, expectStatus, expectThat } from '../../assertions/expect.ts'
import { type Draft, type Rule, sameToSixDigits } from '../../model/rule.ts'
import type { Check } from '../../session/check.ts'
import { toJson } from '../../session/plugin.ts'
import type { Session } from '../../session/session.ts'

/** The value is the one that was sent, to six significant digits. */
function expectSameValue(actual: unknown, expected: number): void {
  const isSame = typeof actual === 'number' && sameToSixDigits(actual, expected)
  expectThat(isSame, 'rule.value-changed', { expected, actual, difference: exactDifference(actual, expected) })
}

/** Adds a rule; returns the listed rule with its follower. */
async function addAndFind({ plugin, rules }: Session, draft: Draft): Promise<Rule | undefined> {
  expectStatus(await plugin.add(draft), 201)
  return (await rules.read()).find(({ follower }) => follower === draft.follower)
}

/** Rules that differ only in one word are listed with the words that were sent. */
function wordCheck(id: string, field: 'mode' | 'direction', words: readonly [string, string]): Check {
  return {
    id,
    requirement: 'plugin.rule.as-sent',
    title: `GET /api/rules lists a ${words[0]} rule and a ${words[1]} rule with the ${field} that was sent`,
    risk: 'write',
    async run(session) {
      for (const word of words) {
        const draft = session.rules.draft({ mode: 'mult', value: 1, direction: 'same', [field]: word })
        expectExactly(`rule.${field}-changed`, (await addAndFind(session, draft))?.[field], word)
      }
    },
  }
}

/** The JSON string with its last letter escaped. */
function withEscape(text: string): string {
  return `"${text.slice(0, -1)}\\u${text
    .charCodeAt(text.length - 1)
    .toString(16)
    .padStart(4, '0')}"`
}

/** Valid JSON numbers; a server may reject one. */
const spelledValues = [
  ...['0.0000000123456', '1.23456e-8', '123456e-13', '0.000000012345600000000000'],
  ...['1.23456000000000000000', '1234560.00', '1.23456E+6', '123456000e-2', '0.000123456e10'],
]

const fieldChecks: readonly Check[] = [
  {
    id: 'CT-115',
    requirement: 'plugin.rule.as-sent',
    title: 'GET /api/rules lists each of three rules with the master that was sent',
    risk: 'write',
    async run({ plugin, rules }) {
      const drafts = [rules.draft(), rules.draft(), rules.draft()]
      const followers = drafts.map(({ follower }) => follower)
      const masters = drafts.map(() => rules.draft().follower)
      for (const [i, draft] of drafts.entries()) {
        expectStatus(await plugin.add({ ...draft, master: masters[i] }), 201)
      }
      const list = (await rules.read()).filter(({ follower }) => followers.includes(follower))
      const seen = followers.map((follower) => list.find((rule) => rule.follower === follower)?.master)
      expectEqual('rule.master-changed', seen, masters)
    },
  },
  {
    id: 'CT-116',
    requirement: 'plugin.rule.as-sent',
    title: 'GET /api/rules lists three rules of one master with the three followers that were sent',
    risk: 'write',
    async run({ plugin, rules }) {
      const [one, two, three] = [rules.draft(), rules.draft(), rules.draft()]
      const before = await rules.read()
      for (const draft of [one, two, three]) expectStatus(await plugin.add({ ...draft, master: one.master }), 201)
      const known = new Set(before.map(({ follower }) => follower))
      const followers = (await rules.read()).map(({ follower }) => follower).filter((login) => !known.has(login))
      expectEqual(
        'rule.follower-changed',
        followers.toSorted(),
        [one.follower, two.follower, three.follower].toSorted(),
      )
    },
  },
  wordCheck('CT-117', 'mode', ['mult', 'fixed']),
  {
    id: 'CT-118',
    requirement: 'plugin.rule.as-sent',
    title: 'GET /api/rules lists values from 0.00012 to 123456 to six significant digits',
    risk: 'write',
    async run(session) {
      for (const value of [0.01, 0.1, 1, 1.5, 2.75, 3.14151, 99.99, 1000, 123456, 0.00012]) {
        const draft = session.rules.draft({ value })
        const listed = await addAndFind(session, draft)
        expectSameValue(listed?.value, value)
        await session.rules.remove(draft)
      }
    },
  },
  {
    id: 'CT-124',
    requirement: 'plugin.rule.as-sent',
    title: 'GET /api/rules lists accepted values from 1e-9 to 9876543210 to six significant digits',
    risk: 'write',
    async run({ plugin, rules }) {
      for (const value of [1e-9, 0.000000123456, 9_876_543_210]) {
        const draft = rules.draft({ value })
        if ((await plugin.add(draft)).status !== 201) continue
        const listed = (await rules.read()).find((rule) => rule.follower === draft.follower)
        expectSameValue(listed?.value, value)
      }
    },
  },
  {
    id: 'CT-125',
    requirement: 'plugin.rule.as-sent',
    title: 'GET /api/rules lists accepted values to six significant digits in any spelling of the number',
    risk: 'write',
    async run({ plugin, rules }) {
      for (const spelling of spelledValues) {
        const draft = rules.draft({ value: 1 })
        const body = toJson(draft).replace('"value":1', `"value":${spelling}`)
        if ((await plugin.send({ method: 'POST', path: '/api/rules', body })).status !== 201) continue
        const listed = (await rules.read()).find((rule) => rule.follower === draft.follower)
        expectSameValue(listed?.value, Number(spelling))
      }
    },
  },
  {
    id: 'CT-119',
    requirement: 'plugin.rule.value-double-precision',
    title: 'GET /api/rules lists values that need more precision than a 32-bit float exactly',
    risk: 'write',
    async run(session) {
      for (const value of [0.1, 1.23456789, 16777217, 2.7182818251]) {
        const draft = session.rules.draft({ value })
        const listed = await addAndFind(session, draft)
        expectExactly('rule.value-changed', listed?.value, value)
      }
    },
  },
  wordCheck('CT-120', 'direction', ['same', 'reverse']),
  {
    id: 'CT-126',
    requirement: 'plugin.rule.as-sent',
    title: 'GET /api/rules lists an accepted rule as meant when letters of its names and words are escaped in the JSON',
    risk: 'write',
    async run({ plugin, rules }) {
      for (const mode of ['mult', 'fixed']) {
        for (const direction of ['same', 'reverse']) {
          for (const text of ['master', 'follower', 'mode', 'value', 'direction', mode, direction]) {
            const own = rules.draft({ mode, direction })
            const body = toJson(own).replace(`"${text}"`, withEscape(text))
            if ((await plugin.send({ method: 'POST', path: '/api/rules', body })).status !== 201) continue
            rules.find(await rules.read(), own)
            await rules.remove(own)
          }
        }
      }
    },
  },
]

/** Logins that change when they are stored in 32 bits, as a double or without a sign. */
const unusualLogins = [3_000_000_005, 4_294_967_296 + 1001, 9_007_199_254_740_993n, -5, 0]

/** A server may reject such a login. If it accepts one, it must list it as sent. */
const unusualLoginChecks = (
  [
    { id: 'CT-122', requirement: 'plugin.rule.as-sent', field: 'master', other: 'follower' },
    { id: 'CT-123', requirement: 'plugin.rule.as-sent', field: 'follower', other: 'master' },
  ] as const
).map(
  ({ id, requirement, field, other }): Check => ({
    id,
    requirement,
    title: `GET /api/rules lists an accepted ${field} that is zero, negative or above 2^31 as sent`,
    risk: 'write',
    async run({ plugin, rules }) {
      for (const login of unusualLogins) {
        // The rule is found by the other login, so that one must be unique.
        const draft = rules.draft()
        const own = draft.follower
        const { status } = await plugin.add({ ...draft, [other]: own, [field]: login })
        if (status !== 201) continue
        const listed = (await rules.read()).find((rule) => rule[other] === own)
        expectExactly(`rule.${field}-changed`, listed?.[field], login)
      }
    },
  }),
)

/** Clause 2.3: a rule is listed as it was sent. */
export const storedFieldChecks: readonly Check[] = [...fieldChecks, ...unusualLoginChecks]
