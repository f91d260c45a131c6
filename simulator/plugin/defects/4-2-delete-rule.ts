import { type Members, withMembers } from '../../defect-parts/wire.ts'
import type { Rule } from '../model/rule.ts'
import { removeAt } from '../model/rule-list.ts'
import { type Defect, rows } from './defect.ts'
import { given } from './known.ts'
import { answers, leaves } from './overrides.ts'
import { whileIn } from './states.ts'

/** A server that confirms a DELETE with other members. */
const confirms =
  (members: Members): Defect['override'] =>
  ({ removedBody }) => ({ removedBody: () => withMembers(removedBody(), members) })

/** Clause 4.2 rule 2: DELETE of a rule that is there. */
export const deleteRuleDefects: readonly Defect[] = [
  ...rows('plugin.delete.ok', {
    'delete.answers-204': [
      'DELETE returns 204 without a body.',
      answers('DELETE', { status: 204, body: undefined, headers: {} }),
    ],
    'delete.answers-202': ['DELETE returns 202.', answers('DELETE', { status: 202 })],
    'delete.success-as-number': ['success is the number of removed rules.', confirms({ success: 1 })],
  }),
  ...rows('plugin.success-is-true', {
    'delete.success-is-false': ['DELETE removes the rule and returns success: false.', confirms({ success: false })],
    'delete.last-success-is-false': [
      'success is false in the response to a DELETE that removes the only rule of the list.',
      whileIn('single', confirms({ success: false })),
    ],
  }),
  ...rows('plugin.delete.keeps-order', {
    'delete.removes-the-next': [
      'DELETE removes the rule after the index, except at the last index.',
      leaves((_, position, rules) => removeAt(rules, Math.min(position + 1, rules.length - 1))),
    ],
    'delete.last-takes-its-neighbour-along': [
      'DELETE of the last rule also removes the one before it.',
      leaves((left, position) => (position === left.length ? left.slice(0, -1) : left)),
    ],
    'delete.moves-last-into-hole': [
      'DELETE moves the last rule into the removed position.',
      leaves((left, position) => left.slice(0, -1).toSpliced(position, 0, ...left.slice(-1))),
    ],
    'delete.shifts-the-earlier': [
      'DELETE moves the rules before the removed one to the end of the list.',
      leaves((left, position) => [...left.slice(position), ...left.slice(0, position)]),
    ],
    'delete.leaves-the-values-in-place': [
      'DELETE shifts the rules, but not their values.',
      leaves((left, _, rules) => left.map((rule, place) => ({ ...rule, value: rules[place]?.value ?? rule.value }))),
    ],
    'delete.turns-the-direction-of-the-next': [
      'DELETE inverts the direction of the rule that moves into the removed position.',
      leaves((left, position) =>
        left.map((rule, place) =>
          place === position ? { ...rule, direction: rule.direction === 'same' ? 'reverse' : 'same' } : rule,
        ),
      ),
    ],
  }),
  ...rows(['plugin.delete.keeps-order', 'plugin.sequence.list'], {
    'delete.turns-the-later-round': [
      'DELETE reverses the order of the rules after the removed one.',
      leaves((left, position) => [...left.slice(0, position), ...left.slice(position).toReversed()]),
    ],
  }),
  ...rows(['plugin.rule.index-is-position', 'plugin.delete.keeps-order', 'plugin.sequence.list'], {
    'delete.indices-never-shift': [
      'A rule keeps its index after a DELETE, which leaves a gap.',
      ({ addRule }) => {
        const indices = new WeakMap<Rule, number>()
        let next = 0
        const indexOf = (rule: Rule) => {
          const index = indices.get(rule) ?? next
          if (!indices.has(rule)) next++
          indices.set(rule, index)
          return index
        }
        return {
          ruleBody: (rule) => ({ index: indexOf(rule), ...rule }),
          addRule: (rules, rule) => {
            rules.forEach(indexOf)
            indexOf(rule)
            return addRule(rules, rule)
          },
          reportedIndex: () => next - 1,
          holdsPosition: (rules, position) => rules.some((rule) => indexOf(rule) === position),
          removeRule: (rules, position) => rules.filter((rule) => indexOf(rule) !== position),
        }
      },
    ],
  }),
  ...rows('plugin.sequence.list', {
    'delete.every-eighth-takes-two': [
      'Every eighth DELETE also removes the first rule.',
      given((known) => leaves((left) => (known.removed.length % 8 === 0 ? left.slice(1) : left))),
    ],
  }),
]
