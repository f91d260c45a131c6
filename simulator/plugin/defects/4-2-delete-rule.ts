import type { Rule } from '../model/rule.ts'
import type { RuleList } from '../model/rule-list.ts'
import type { Defect } from './defect.ts'
import { asks, withMembers } from './wire.ts'

/** Changes the rule at one position. */
function changed(rules: RuleList, position: number, change: (rule: Rule) => Rule): RuleList {
  return rules.map((rule, place) => (place === position ? change(rule) : rule))
}

/** Clause 4.2 rule 2: DELETE of a rule that is there. */
export const deleteRuleDefects: readonly Defect[] = [
  {
    id: 'delete.answers-204',
    breaks: ['plugin.delete.ok', 'plugin.delete.answer-success'],
    summary: 'DELETE returns 204 without a body.',
    override: () => ({
      finish: (response, request) =>
        asks(request, 'DELETE') && response.status === 200 ? { status: 204, body: undefined, headers: {} } : response,
    }),
  },
  {
    id: 'delete.answers-202',
    breaks: ['plugin.delete.ok'],
    summary: 'DELETE returns 202, as if the removal were still pending.',
    override: () => ({
      finish: (response, request) =>
        asks(request, 'DELETE') && response.status === 200 ? { ...response, status: 202 } : response,
    }),
  },
  {
    id: 'delete.success-as-number',
    breaks: ['plugin.delete.answer-success'],
    summary: 'success is the number of removed rules.',
    override: ({ removedBody }) => ({ removedBody: () => withMembers(removedBody(), { success: 1 }) }),
  },
  {
    id: 'delete.removes-the-next',
    breaks: ['plugin.delete.removes-that-rule'],
    summary: 'The rule after the requested one is removed; only the last index removes the correct rule.',
    override: ({ removeRule }) => ({
      removeRule: (rules, position) => removeRule(rules, Math.min(position + 1, rules.length - 1)),
    }),
  },
  {
    id: 'delete.last-takes-its-neighbour-along',
    breaks: ['plugin.delete.removes-that-rule', 'plugin.delete.leaves-earlier'],
    maskedBy: [{ answers: { 'plugin.add.position': 'start' }, from: ['plugin.delete.leaves-earlier'] }],
    summary: 'Removing the last rule also removes the one before it.',
    override: ({ removeRule }) => ({
      removeRule: (rules, position) =>
        rules.length > 1 && position === rules.length - 1 ? rules.slice(0, position - 1) : removeRule(rules, position),
    }),
  },
  {
    id: 'delete.moves-last-into-hole',
    breaks: ['plugin.delete.keeps-order', 'plugin.delete.shifts-later'],
    summary: 'The last rule moves to the position of the removed rule.',
    override: () => ({
      removeRule: (rules, position) => {
        const last = rules.at(-1)
        const others = rules.slice(0, -1)
        return last === undefined || position === others.length ? others : others.with(position, last)
      },
    }),
  },
  {
    id: 'delete.turns-the-later-round',
    breaks: ['plugin.delete.keeps-order', 'plugin.delete.sequence'],
    summary:
      'The rules after the removed one are put back in reverse order, which is correct only for the last two positions.',
    override: () => ({
      removeRule: (rules, position) => [...rules.slice(0, position), ...rules.slice(position + 1).toReversed()],
    }),
  },
  {
    id: 'delete.shifts-the-earlier',
    breaks: ['plugin.delete.leaves-earlier', 'plugin.delete.keeps-order'],
    summary: 'The rules before the removed one move after the later ones, which is correct only at both ends.',
    override: () => ({
      removeRule: (rules, position) => [...rules.slice(position + 1), ...rules.slice(0, position)],
    }),
  },
  {
    id: 'delete.indices-never-shift',
    breaks: ['plugin.rule.index-is-position', 'plugin.delete.shifts-later', 'plugin.delete.sequence'],
    summary: 'An index belongs to a rule permanently, so that a removal leaves a gap.',
    override: ({ addRule }) => {
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
  },
  {
    id: 'delete.leaves-the-values-in-place',
    breaks: ['plugin.delete.leaves-contents', 'plugin.delete.removes-that-rule'],
    summary: 'Values are stored in an array of their own, which a removal does not shift.',
    override: ({ removeRule }) => ({
      removeRule: (rules, position) =>
        removeRule(rules, position).map((rule, place) => ({ ...rule, value: rules[place]?.value ?? rule.value })),
    }),
  },
  {
    id: 'delete.turns-the-direction-of-the-next',
    breaks: ['plugin.delete.leaves-contents'],
    summary: 'The rule that moves to the removed position has its direction reversed.',
    override: ({ removeRule }) => ({
      removeRule: (rules, position) =>
        changed(removeRule(rules, position), position, (rule) => ({
          ...rule,
          direction: rule.direction === 'same' ? 'reverse' : 'same',
        })),
    }),
  },
  {
    id: 'delete.every-eighth-takes-two',
    breaks: ['plugin.delete.sequence'],
    summary: 'Every eighth removal compacts the list and loses its first rule.',
    override: ({ removeRule }) => {
      let removals = 0
      return {
        removeRule: (rules, position) => {
          removals++
          const left = removeRule(rules, position)
          return removals % 8 === 0 ? left.slice(1) : left
        },
      }
    },
  },
]
