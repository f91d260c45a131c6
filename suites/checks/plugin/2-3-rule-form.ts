import { expectEqual, expectThat } from '../../assertions/expect.ts'
import { OutOfScope } from '../../assertions/failure.ts'
import type { Rule } from '../../model/rule.ts'
import { type Check, checks } from '../../session/check.ts'
import { requireRemoved } from '../../session/rules.ts'
import type { Session } from '../../session/session.ts'
import { reading, writing } from './scopes.ts'

/** The existing rules; an empty list cannot be judged. */
async function listedRules({ rules }: Session): Promise<readonly Rule[]> {
  const list = await rules.read()
  if (list.length === 0) throw new OutOfScope('the list is empty, and nothing may be added with this risk')
  return list
}

const isInteger = (value: unknown) => Number.isInteger(value) || typeof value === 'bigint'

/** What must hold for each listed rule, including foreign ones. */
const forms = [
  ['rule.field-missing', (rule: Rule) => Object.values(rule).every((value) => value !== undefined)],
  ['rule.not-integers', ({ index, master, follower }: Rule) => [index, master, follower].every(isInteger)],
  ['rule.mode-unlisted', ({ mode }: Rule) => ['mult', 'fixed'].includes(mode)],
  ['rule.value-not-positive', ({ value }: Rule) => typeof value === 'number' && value > 0],
  ['rule.direction-unlisted', ({ direction }: Rule) => ['same', 'reverse'].includes(direction)],
] as const

/** Every rule of the list has all fields in their form. */
export function expectForms(list: readonly Rule[]): void {
  for (const [code, holds] of forms) {
    const wrong = list.find((rule) => !holds(rule))
    expectThat(wrong === undefined, code, { actual: wrong })
  }
}

/** The index counts up by one from the first rule; any first index is allowed. */
export function expectPositions(list: readonly Rule[]): void {
  const first = list[0]?.index ?? 0
  const indices = list.map(({ index }) => index)
  expectEqual(
    'list.indices-not-consecutive',
    indices,
    [...list.keys()].map((position) => first + position),
  )
}

/** Clause 2.3: the form of each listed rule, and its index. */
export const ruleFormChecks: readonly Check[] = [
  ...checks(reading, 'plugin.rule.fields', {
    'CT-101 GET /api/rules lists every existing rule with all fields in their documented form': async (session) => {
      expectForms(await listedRules(session))
    },
  }),
  ...checks(writing, 'plugin.rule.fields', {
    'CT-102 GET /api/rules lists every added rule with all fields in their documented form': async ({ rules }) => {
      // A server that truncates values to integers lists 0 for the second one.
      const first = rules.draft({ mode: 'mult', value: 1.5, direction: 'same' })
      const second = rules.draft({ mode: 'fixed', value: 0.01, direction: 'reverse' })
      expectForms(await rules.arrange([first, second]))
    },
  }),
  ...checks(reading, 'plugin.rule.index-is-position', {
    'CT-111 GET /api/rules lists existing rules with consecutive indices': async (session) => {
      expectPositions(await listedRules(session))
    },
  }),
  ...checks(writing, 'plugin.rule.index-is-position', {
    'CT-112 GET /api/rules lists consecutive indices after four rules are added and one is removed': async ({
      rules,
    }) => {
      const [, second] = await rules.arrange(4)
      const removal = await rules.sendRemoval(second)
      const list = await rules.read()
      expectPositions(list)
      requireRemoved(second, removal, list)
    },
  }),
]
