import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { xorshift128plus } from 'pure-rand/generator/xorshift128plus'
import {
  expectBooleanSuccess,
  expectContents,
  expectEqual,
  expectJsonType,
  expectObject,
  expectStatus,
  expectSuccess,
  expectUnchanged,
} from '../../assertions/expect.ts'
import { type Draft, describeRule, type Rule } from '../../model/rule.ts'
import type { Check } from '../../session/check.ts'
import type { Session } from '../../session/session.ts'
import { ownServer } from './scopes.ts'

/** The lists before and after one rule of five was removed, and that rule. */
async function removeOneOfFive(
  { rules }: Session,
  choose: (own: readonly Rule[]) => Rule | undefined,
): Promise<{ before: readonly Rule[]; after: readonly Rule[]; removed: Rule }> {
  const own = await rules.arrange(5)
  const before = await rules.read()
  const inOrder = before.filter((rule) => own.some((mine) => mine.index === rule.index))
  const removed = choose(inOrder) ?? rules.find(before, rules.draft())
  expectStatus(await rules.remove(removed), 200)
  return { before, after: await rules.read(), removed }
}

const places = [
  { name: 'first', choose: (own: readonly Rule[]) => own.at(0) },
  { name: 'third', choose: (own: readonly Rule[]) => own.at(2) },
  { name: 'last', choose: (own: readonly Rule[]) => own.at(-1) },
] as const

type Lists = Awaited<ReturnType<typeof removeOneOfFive>>

const shifts: readonly {
  readonly requirement: string
  readonly ids: readonly string[]
  readonly what: string
  readonly expectShift: (lists: Lists) => void
}[] = [
  {
    requirement: 'plugin.delete.removes-that-rule',
    ids: ['CT-511', 'CT-513', 'CT-514'],
    what: 'removes that rule and no other',
    expectShift({ before, after, removed }) {
      const line = (rule: Rule) => describeRule({ ...rule, index: 0 })
      const gone = before.map(line).filter((rule) => !after.map(line).includes(rule))
      expectEqual('list.other-removed', gone, [line(removed)])
      expectEqual('list.length-wrong', after.length, before.length - 1)
    },
  },
  {
    requirement: 'plugin.delete.keeps-order',
    ids: ['CT-515', 'CT-517', 'CT-518'],
    what: 'keeps the order of the rest',
    expectShift({ before, after, removed }) {
      const pair = (rule: Rule) => `${rule.master}>${rule.follower}`
      const rest = before.filter((rule) => rule.index !== removed.index)
      expectEqual('list.order-changed', after.map(pair), rest.map(pair))
    },
  },
  {
    requirement: 'plugin.delete.shifts-later',
    ids: ['CT-519', 'CT-521', 'CT-522'],
    what: 'lowers the index of every later rule by one',
    expectShift({ before, after, removed }) {
      const later = before.filter((rule) => rule.index > removed.index)
      const seen = later.map((rule) => {
        // Foreign rules may have the same logins; then any of them counts.
        const alike = after.filter(({ master, follower }) => master === rule.master && follower === rule.follower)
        return (alike.find(({ index }) => index === rule.index - 1) ?? alike[0])?.index
      })
      expectEqual(
        'list.later-indices-wrong',
        seen,
        later.map(({ index }) => index - 1),
      )
    },
  },
  {
    requirement: 'plugin.delete.leaves-earlier',
    ids: ['CT-523', 'CT-525', 'CT-526'],
    what: 'keeps the indices of all earlier rules',
    expectShift({ before, after, removed }) {
      const earlier = before.filter((rule) => rule.index < removed.index)
      expectUnchanged(after.slice(0, earlier.length), earlier, 'list.earlier-indices-changed')
    },
  },
  {
    requirement: 'plugin.delete.leaves-contents',
    ids: ['CT-527', 'CT-529', 'CT-530'],
    what: 'changes no field of the rest except the index',
    expectShift({ before, after, removed }) {
      const byPair = (a: Rule, b: Rule) =>
        describeRule({ ...a, index: 0 }).localeCompare(describeRule({ ...b, index: 0 }))
      const rest = before.filter((rule) => rule.index !== removed.index)
      expectContents(after.toSorted(byPair), rest.toSorted(byPair), 'list.others-changed')
    },
  },
]

const shiftChecks = shifts.flatMap(({ requirement, ids, what, expectShift }) =>
  places.map(
    ({ name, choose }, i): Check => ({
      id: ids[i] ?? '',
      requirement,
      title: `DELETE of the ${name} of five rules ${what}`,
      risk: 'write',
      async run(session) {
        expectShift(await removeOneOfFive(session, choose))
      },
    }),
  ),
)

/** Enough steps to reach each end of the list many times. */
const steps = 40

/** Adds or removes rules at random and compares the list with the expected one after each step. */
async function followArithmetic({ plugin, rules, seed }: Session): Promise<void> {
  const random = xorshift128plus(seed)
  let own: readonly Draft[] = []
  let expected = await rules.read()
  let base = expected[0]?.index
  for (let step = 0; step < steps; step += 1) {
    if (own.length < 2 || (own.length < 8 && uniformInt(random, 0, 1) === 0)) {
      const draft = rules.draft()
      expectStatus(await plugin.add(draft), 201)
      const list = await rules.read()
      const added = rules.find(list, draft)
      // If the list was empty, the first rule shows the index base.
      base ??= added.index
      expected = inserted(expected, added, base)
      own = [...own, draft]
      expectUnchanged(list, expected, 'list.indices-wrong')
    } else {
      const gone = own[uniformInt(random, 0, own.length - 1)]
      expectStatus(await rules.remove(gone ?? rules.draft()), 200)
      expected = renumbered(
        expected.filter(({ follower }) => follower !== gone?.follower),
        base,
      )
      own = own.filter((draft) => draft !== gone)
      expectUnchanged(await rules.read(), expected, 'list.indices-wrong')
    }
  }
}

/** A new rule may go anywhere; all rules after it must move up by one. */
function inserted(list: readonly Rule[], added: Rule, base: number): readonly Rule[] {
  const at = list.findIndex((rule) => rule.index >= added.index)
  return renumbered(list.toSpliced(at === -1 ? list.length : at, 0, added), base)
}

function renumbered(list: readonly Rule[], base: number | undefined): readonly Rule[] {
  const first = base ?? list[0]?.index ?? 0
  return list.map((rule, position) => ({ ...rule, index: first + position }))
}

/** The last rule of a list that only the kit writes. */
const lastOfAllChecks = [
  {
    id: 'CT-534',
    requirement: 'plugin.delete.removes-that-rule',
    title: 'DELETE of the last rule in the list removes only that rule',
    count: 4,
  },
  {
    id: 'CT-533',
    requirement: 'plugin.delete.ok',
    title: 'DELETE with a two-digit index removes only the rule at that index',
    count: 11,
  },
].map(
  ({ count, ...head }): Check => ({
    ...head,
    ...ownServer,
    async run({ launch }) {
      const { rules, plugin } = await launch()
      await rules.arrange(count)
      const before = await rules.read()
      expectStatus(await plugin.remove(before.at(-1)?.index ?? 'none'), 200)
      expectUnchanged(await rules.read(), before.slice(0, -1), 'list.other-removed')
    },
  }),
)

/** Clause 4.2: DELETE /api/rules/{index} of an existing rule. */
export const deleteRuleChecks: readonly Check[] = [
  {
    id: 'CT-501',
    requirement: 'plugin.delete.ok',
    title: 'DELETE of a rule returns 200',
    risk: 'write',
    async run({ rules }) {
      const [rule] = await rules.arrange(1)
      expectStatus(await rules.remove(rule), 200)
    },
  },
  {
    id: 'CT-502',
    requirement: 'plugin.delete.answer-success',
    title: 'DELETE of a rule returns a boolean success',
    risk: 'write',
    async run({ rules }) {
      const [rule] = await rules.arrange(1)
      expectBooleanSuccess(await rules.remove(rule))
    },
  },
  {
    id: 'CT-504',
    requirement: 'plugin.delete.success-is-true',
    title: 'DELETE of a rule returns success: true',
    risk: 'write',
    async run({ rules }) {
      const [rule] = await rules.arrange(1)
      expectSuccess(await rules.remove(rule))
    },
  },
  {
    id: 'CT-503',
    requirement: 'plugin.json.content-type',
    title: 'DELETE of a rule responds with Content-Type application/json',
    risk: 'write',
    async run({ rules }) {
      const [rule] = await rules.arrange(1)
      const response = await rules.remove(rule)
      expectStatus(response, 200)
      expectJsonType(response)
    },
  },
  ...shiftChecks,
  {
    id: 'CT-531',
    requirement: 'plugin.delete.sequence',
    title: `Every index is correct after each of ${steps} random additions and removals`,
    risk: 'write',
    run: followArithmetic,
  },
  {
    id: 'CT-532',
    requirement: 'plugin.delete.sequence',
    title: 'DELETE of eight rules from the front and then of eight from the back leaves an empty list',
    ...ownServer,
    async run({ launch }) {
      const { rules, plugin } = await launch()
      for (const side of [0, -1]) {
        await rules.arrange(8)
        for (let left = 8; left > 0; left -= 1) {
          const list = await rules.read()
          expectEqual('list.length-wrong', list.length, left)
          expectStatus(await plugin.remove(list.at(side)?.index ?? 'none'), 200)
        }
        expectEqual('list.total-wrong', expectObject(await plugin.list()).total, 0)
      }
    },
  },
  ...lastOfAllChecks,
]
