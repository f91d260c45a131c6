import type { Check } from '../engine/check.ts'
import type { Session } from '../session/session.ts'
import { expectEqual, expectStatus, expectThat, expectUnchanged } from '../vocabulary/expect.ts'
import { OutOfScope } from '../vocabulary/failure.ts'
import { describeRule, type Rule, sameToSixDigits } from '../vocabulary/rule.ts'

/** The rules that are listed already; a list without any shows nothing. */
async function listedRules({ rules }: Session): Promise<readonly Rule[]> {
  const list = await rules.read()
  if (list.length === 0) throw new OutOfScope('the list is empty, and nothing may be added with this risk')
  return list
}

function expectEach(list: readonly Rule[], holds: (rule: Rule) => boolean, expected: string): void {
  const wrong = list.find((rule) => !holds(rule))
  expectThat(wrong === undefined, 'a listed rule is not as described', { expected, actual: wrong })
}

const isInteger = (value: unknown) => Number.isInteger(value) || typeof value === 'bigint'

/** What must hold for each listed rule, whoever added it. */
const forms = [
  {
    requirement: 'plugin.rule.fields',
    ids: ['CT-101', 'CT-102'],
    expected: 'index, master, follower, mode, value and direction',
    holds: (rule: Rule) => Object.values(rule).every((value) => value !== undefined),
  },
  {
    requirement: 'plugin.rule.integers',
    ids: ['CT-103', 'CT-104'],
    expected: 'integers as index, master and follower',
    holds: (rule: Rule) => [rule.index, rule.master, rule.follower].every(isInteger),
  },
  {
    requirement: 'plugin.rule.mode-listed',
    ids: ['CT-105', 'CT-106'],
    expected: 'the mode mult or fixed',
    holds: (rule: Rule) => ['mult', 'fixed'].includes(rule.mode),
  },
  {
    requirement: 'plugin.rule.value-positive',
    ids: ['CT-107', 'CT-108'],
    expected: 'a number greater than 0 as value',
    holds: (rule: Rule) => typeof rule.value === 'number' && rule.value > 0,
  },
  {
    requirement: 'plugin.rule.direction-listed',
    ids: ['CT-109', 'CT-110'],
    expected: 'the direction same or reverse',
    holds: (rule: Rule) => ['same', 'reverse'].includes(rule.direction),
  },
] as const

const formChecks = forms.flatMap(({ requirement, ids, expected, holds }): Check[] => [
  {
    id: ids[0],
    requirement,
    title: `each rule that is listed already has ${expected}`,
    risk: 'read',
    async run(session) {
      expectEach(await listedRules(session), holds, expected)
    },
  },
  {
    id: ids[1],
    requirement,
    title: `rules of both modes and directions that the kit adds have ${expected}`,
    risk: 'write',
    async run({ rules }) {
      const added = await rules.arrange([
        rules.draft({ mode: 'mult', direction: 'same' }),
        rules.draft({ mode: 'fixed', direction: 'reverse' }),
      ])
      expectEach(added, holds, expected)
    },
  },
])

/** The index counts up by one from the first rule, whatever the first index is. */
function expectPositions(list: readonly Rule[]): void {
  const first = list[0]?.index ?? 0
  expectEqual(
    'the indices in the order of the list',
    list.map(({ index }) => index),
    list.map((_, position) => first + position),
  )
}

const fieldChecks: readonly Check[] = [
  {
    id: 'CT-115',
    requirement: 'plugin.rule.keeps-master',
    title: 'each of three rules with different masters is listed with its own',
    risk: 'write',
    async run({ plugin, rules }) {
      const drafts = [rules.draft(), rules.draft(), rules.draft()]
      const followers = drafts.map(({ follower }) => follower)
      const masters = [drafts[2], drafts[0], drafts[1]].map((draft) => draft?.follower ?? 0)
      for (const [i, draft] of drafts.entries()) {
        expectStatus(await plugin.add({ ...draft, master: masters[i] }), 201)
      }
      const list = (await rules.read()).filter(({ follower }) => followers.includes(follower))
      const seen = followers.map((follower) => list.find((rule) => rule.follower === follower)?.master)
      expectEqual('the masters', seen, masters)
    },
  },
  {
    id: 'CT-116',
    requirement: 'plugin.rule.keeps-follower',
    title: 'three rules of one master are listed with three followers',
    risk: 'write',
    async run({ plugin, rules }) {
      const [one, two, three] = [rules.draft(), rules.draft(), rules.draft()]
      const before = await rules.read()
      for (const draft of [one, two, three]) expectStatus(await plugin.add({ ...draft, master: one.master }), 201)
      const known = new Set(before.map(({ follower }) => follower))
      const followers = (await rules.read()).map(({ follower }) => follower).filter((login) => !known.has(login))
      expectEqual('the followers', followers.toSorted(), [one.follower, two.follower, three.follower].toSorted())
    },
  },
  {
    id: 'CT-117',
    requirement: 'plugin.rule.keeps-mode',
    title: 'a rule with mult and one with fixed, alike otherwise, are listed with their modes',
    risk: 'write',
    async run({ plugin, rules }) {
      for (const mode of ['mult', 'fixed']) {
        const draft = rules.draft({ mode, value: 1, direction: 'same' })
        expectStatus(await plugin.add(draft), 201)
        const listed = (await rules.read()).find((rule) => rule.follower === draft.follower)
        expectEqual('the mode', listed?.mode, mode)
      }
    },
  },
  {
    id: 'CT-118',
    requirement: 'plugin.rule.keeps-value',
    title: 'values from 0.00012 to 123456 are listed to six significant digits',
    risk: 'write',
    async run({ plugin, rules }) {
      for (const value of [0.01, 0.1, 1, 1.5, 2.75, 3.14151, 99.99, 1000, 123456, 0.00012]) {
        const draft = rules.draft({ value })
        expectStatus(await plugin.add(draft), 201)
        const listed = (await rules.read()).find((rule) => rule.follower === draft.follower)
        const same = typeof listed?.value === 'number' && sameToSixDigits(listed.value, value)
        expectThat(same, 'the value is not the one that was sent', { expected: String(value), actual: listed?.value })
        await rules.remove(draft)
      }
    },
  },
  {
    id: 'CT-124',
    requirement: 'plugin.rule.keeps-value',
    title: 'values of 0.000000123456 and 9876543210, where they are accepted, are listed to six significant digits',
    risk: 'write',
    async run({ plugin, rules }) {
      for (const value of [0.000000123456, 9_876_543_210]) {
        const draft = rules.draft({ value })
        if ((await plugin.add(draft)).status !== 201) continue
        const listed = (await rules.read()).find((rule) => rule.follower === draft.follower)
        const same = typeof listed?.value === 'number' && sameToSixDigits(listed.value, value)
        expectThat(same, 'the value is not the one that was sent', { expected: String(value), actual: listed?.value })
      }
    },
  },
  {
    id: 'CT-119',
    requirement: 'plugin.rule.value-double-precision',
    title: 'values with more digits than a 32-bit float has are listed exactly',
    risk: 'write',
    async run({ plugin, rules }) {
      for (const value of [0.1, 1.23456789, 16777217, 2.7182818251]) {
        const draft = rules.draft({ value })
        expectStatus(await plugin.add(draft), 201)
        const listed = (await rules.read()).find((rule) => rule.follower === draft.follower)
        expectEqual('the value', listed?.value, value)
      }
    },
  },
  {
    id: 'CT-120',
    requirement: 'plugin.rule.keeps-direction',
    title: 'a rule with same and one with reverse, alike otherwise, are listed with their directions',
    risk: 'write',
    async run({ plugin, rules }) {
      for (const direction of ['same', 'reverse']) {
        const draft = rules.draft({ direction, value: 1, mode: 'mult' })
        expectStatus(await plugin.add(draft), 201)
        const listed = (await rules.read()).find((rule) => rule.follower === draft.follower)
        expectEqual('the direction', listed?.direction, direction)
      }
    },
  },
]

/** Logins that a server which counts in 32 bits would take for others. */
const largeLogins = [3_000_000_005, 4_294_967_296 + 1001]

/** Whether such a login is accepted is free; that an accepted one is listed as sent is not. */
const largeLoginChecks = (
  [
    { id: 'CT-122', requirement: 'plugin.rule.keeps-master', field: 'master', other: 'follower' },
    { id: 'CT-123', requirement: 'plugin.rule.keeps-follower', field: 'follower', other: 'master' },
  ] as const
).map(
  ({ id, requirement, field, other }): Check => ({
    id,
    requirement,
    title: `a ${field} above 2^31 or 2^32, where it is accepted, is listed as sent`,
    risk: 'write',
    async run({ plugin, rules }) {
      for (const login of largeLogins) {
        // The other login must be one of a kind too, since the rule is found by it.
        const draft = rules.draft()
        const own = draft.follower
        const { status } = await plugin.add({ ...draft, [other]: own, [field]: login })
        if (status !== 201) continue
        const listed = (await rules.read()).find((rule) => rule[other] === own)
        expectEqual(`the ${field}`, listed?.[field], login)
      }
    },
  }),
)

const lifeChecks: readonly Check[] = [
  {
    id: 'CT-111',
    requirement: 'plugin.rule.index-is-position',
    title: 'the indices of the list count up by one without gaps',
    risk: 'read',
    async run(session) {
      expectPositions(await listedRules(session))
    },
  },
  {
    id: 'CT-112',
    requirement: 'plugin.rule.index-is-position',
    title: 'the indices count up by one after rules are added and one is removed',
    risk: 'write',
    async run({ rules }) {
      const [, second] = await rules.arrange(4)
      expectPositions(await rules.read())
      expectStatus(await rules.remove(second), 200)
      expectPositions(await rules.read())
    },
  },
  {
    id: 'CT-113',
    requirement: 'plugin.rule.exists-until-removed',
    title: 'a rule outlives ten others that are added and removed around it',
    risk: 'write',
    async run({ rules }) {
      const kept = rules.draft()
      await rules.arrange([kept])
      for (let i = 0; i < 5; i += 1) {
        const [one, two] = await rules.arrange(2)
        expectStatus(await rules.remove(i % 2 === 0 ? one : two), 200)
        expectStatus(await rules.remove(i % 2 === 0 ? two : one), 200)
        rules.find(await rules.read(), kept)
      }
    },
  },
  {
    id: 'CT-114',
    requirement: 'plugin.rule.gone-after-removal',
    title: 'a removed rule is gone, and stays gone when others are added and removed',
    risk: 'write',
    async run({ rules }) {
      const [kept, gone] = await rules.arrange(2)
      const isGone = async () => {
        const found = (await rules.read()).find((rule) => rule.follower === gone.follower)
        expectThat(found === undefined, 'a removed rule is listed', {
          expected: `no rule ${describeRule(gone)}`,
          actual: found && describeRule(found),
        })
      }
      expectStatus(await rules.remove(gone), 200)
      await isGone()
      await rules.arrange(2)
      await isGone()
      expectStatus(await rules.remove(kept), 200)
      await isGone()
    },
  },
  {
    id: 'CT-121',
    requirement: 'plugin.list.reading-changes-nothing',
    title: 'ten reads of the status and the list leave the list as it was',
    risk: 'read',
    async run({ plugin, rules }) {
      const before = await rules.read()
      for (let i = 0; i < 5; i += 1) {
        await plugin.status()
        expectUnchanged(await rules.read(), before)
      }
      expectUnchanged(await rules.read(), before)
    },
  },
]

/** Clauses 2.3 and 3: the copy rule, its fields and its life. */
export const copyRuleChecks: readonly Check[] = [...formChecks, ...fieldChecks, ...largeLoginChecks, ...lifeChecks]
