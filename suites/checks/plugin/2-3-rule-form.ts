import { expectEqual, expectStatus, expectThat } from '../../assertions/expect.ts'
import { OutOfScope } from '../../assertions/failure.ts'
import type { Rule } from '../../model/rule.ts'
import type { Check } from '../../session/check.ts'
import type { Session } from '../../session/session.ts'

/** The existing rules; an empty list cannot be judged. */
async function listedRules({ rules }: Session): Promise<readonly Rule[]> {
  const list = await rules.read()
  if (list.length === 0) throw new OutOfScope('the list is empty, and nothing may be added with this risk')
  return list
}

type Form = (typeof forms)[number]

function expectEach(list: readonly Rule[], { holds, code }: Form): void {
  const wrong = list.find((rule) => !holds(rule))
  expectThat(wrong === undefined, code, { actual: wrong })
}

const isInteger = (value: unknown) => Number.isInteger(value) || typeof value === 'bigint'

/** What must hold for each listed rule, including foreign ones. */
const forms = [
  {
    requirement: 'plugin.rule.fields',
    code: 'rule.field-missing',
    ids: ['CT-101', 'CT-102'],
    expected: 'index, master, follower, mode, value and direction',
    holds: (rule: Rule) => Object.values(rule).every((value) => value !== undefined),
  },
  {
    requirement: 'plugin.rule.fields',
    code: 'rule.not-integers',
    ids: ['CT-103', 'CT-104'],
    expected: 'integer index, master and follower',
    holds: (rule: Rule) => [rule.index, rule.master, rule.follower].every(isInteger),
  },
  {
    requirement: 'plugin.rule.fields',
    code: 'rule.mode-unlisted',
    ids: ['CT-105', 'CT-106'],
    expected: 'mode mult or fixed',
    holds: (rule: Rule) => ['mult', 'fixed'].includes(rule.mode),
  },
  {
    requirement: 'plugin.rule.fields',
    code: 'rule.value-not-positive',
    ids: ['CT-107', 'CT-108'],
    expected: 'a numeric value greater than 0',
    holds: (rule: Rule) => typeof rule.value === 'number' && rule.value > 0,
  },
  {
    requirement: 'plugin.rule.fields',
    code: 'rule.direction-unlisted',
    ids: ['CT-109', 'CT-110'],
    expected: 'direction same or reverse',
    holds: (rule: Rule) => ['same', 'reverse'].includes(rule.direction),
  },
] as const

const formChecks = forms.flatMap((form): Check[] => [
  {
    id: form.ids[0],
    requirement: form.requirement,
    title: `GET /api/rules lists every existing rule with ${form.expected}`,
    risk: 'read',
    async run(session) {
      expectEach(await listedRules(session), form)
    },
  },
  {
    id: form.ids[1],
    requirement: form.requirement,
    title: `GET /api/rules lists every added rule with ${form.expected}`,
    risk: 'write',
    async run({ rules }) {
      const added = await rules.arrange([
        rules.draft({ mode: 'mult', value: 1.5, direction: 'same' }),
        // A server that truncates values to integers lists 0 here.
        rules.draft({ mode: 'fixed', value: 0.01, direction: 'reverse' }),
      ])
      expectEach(added, form)
    },
  },
])

/** Every rule of the list has all fields in their form. */
export function expectForms(list: readonly Rule[]): void {
  for (const form of forms) expectEach(list, form)
}

/** The index counts up by one from the first rule; any first index is allowed. */
export function expectPositions(list: readonly Rule[]): void {
  const first = list[0]?.index ?? 0
  expectEqual(
    'list.indices-not-consecutive',
    list.map(({ index }) => index),
    list.map((_, position) => first + position),
  )
}

/** Clause 2.3: the form of each listed rule, and its index. */
export const ruleFormChecks: readonly Check[] = [
  ...formChecks,
  {
    id: 'CT-111',
    requirement: 'plugin.rule.index-is-position',
    title: 'GET /api/rules lists existing rules with consecutive indices',
    risk: 'read',
    async run(session) {
      expectPositions(await listedRules(session))
    },
  },
  {
    id: 'CT-112',
    requirement: 'plugin.rule.index-is-position',
    title: 'GET /api/rules lists consecutive indices after four rules are added and one is removed',
    risk: 'write',
    async run({ rules }) {
      const [, second] = await rules.arrange(4)
      expectPositions(await rules.read())
      expectStatus(await rules.remove(second), 200)
      expectPositions(await rules.read())
    },
  },
]
