import type { IncomingMessage } from 'node:http'
import { asks, changesResponse, withMembers } from '../../defect-parts/wire.ts'
import type { Rule } from '../model/rule.ts'
import type { RuleList } from '../model/rule-list.ts'
import type { Defect } from './defect.ts'
import { whileIn } from './states.ts'

/** Changes the rule at one position. */
function changed(rules: RuleList, position: number, change: (rule: Rule) => Rule): RuleList {
  return rules.map((rule, place) => (place === position ? change(rule) : rule))
}

const isRemoved = (status: number, request: IncomingMessage) => asks(request, 'DELETE') && status === 200

/** Clause 4.2 rule 2: DELETE of a rule that is there. */
export const deleteRuleDefects: readonly Defect[] = [
  {
    id: 'delete.answers-204',
    breaks: ['plugin.delete.ok'],
    summary: 'DELETE returns 204 without a body.',
    override: changesResponse(isRemoved, () => ({ status: 204, body: undefined, headers: {} })),
  },
  {
    id: 'delete.answers-202',
    breaks: ['plugin.delete.ok'],
    summary: 'DELETE returns 202.',
    override: changesResponse(isRemoved, (response) => ({ ...response, status: 202 })),
  },
  {
    id: 'delete.success-is-false',
    breaks: ['plugin.success-is-true'],
    summary: 'DELETE removes the rule and returns success: false.',
    override: ({ removedBody }) => ({ removedBody: () => withMembers(removedBody(), { success: false }) }),
  },
  {
    id: 'delete.last-success-is-false',
    breaks: ['plugin.success-is-true'],
    summary: 'success is false in the response to a DELETE that removes the only rule of the list.',
    override: whileIn('single', ({ removedBody }) => ({
      removedBody: () => withMembers(removedBody(), { success: false }),
    })),
  },
  {
    id: 'delete.success-as-number',
    breaks: ['plugin.delete.ok'],
    summary: 'success is the number of removed rules.',
    override: ({ removedBody }) => ({ removedBody: () => withMembers(removedBody(), { success: 1 }) }),
  },
  {
    id: 'delete.removes-the-next',
    breaks: ['plugin.delete.keeps-order'],
    summary: 'DELETE removes the rule after the index, except at the last index.',
    override: ({ removeRule }) => ({
      removeRule: (rules, position) => removeRule(rules, Math.min(position + 1, rules.length - 1)),
    }),
  },
  {
    id: 'delete.last-takes-its-neighbour-along',
    breaks: ['plugin.delete.keeps-order'],
    summary: 'DELETE of the last rule also removes the one before it.',
    override: ({ removeRule }) => ({
      removeRule: (rules, position) =>
        rules.length > 1 && position === rules.length - 1 ? rules.slice(0, position - 1) : removeRule(rules, position),
    }),
  },
  {
    id: 'delete.moves-last-into-hole',
    breaks: ['plugin.delete.keeps-order'],
    summary: 'DELETE moves the last rule into the removed position.',
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
    breaks: ['plugin.delete.keeps-order', 'plugin.sequence.list'],
    summary: 'DELETE reverses the order of the rules after the removed one.',
    override: () => ({
      removeRule: (rules, position) => [...rules.slice(0, position), ...rules.slice(position + 1).toReversed()],
    }),
  },
  {
    id: 'delete.shifts-the-earlier',
    breaks: ['plugin.delete.keeps-order'],
    summary: 'DELETE moves the rules before the removed one to the end of the list.',
    override: () => ({
      removeRule: (rules, position) => [...rules.slice(position + 1), ...rules.slice(0, position)],
    }),
  },
  {
    id: 'delete.indices-never-shift',
    breaks: ['plugin.rule.index-is-position', 'plugin.delete.keeps-order', 'plugin.sequence.list'],
    summary: 'A rule keeps its index after a DELETE, which leaves a gap.',
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
    breaks: ['plugin.delete.keeps-order'],
    summary: 'DELETE shifts the rules, but not their values.',
    override: ({ removeRule }) => ({
      removeRule: (rules, position) =>
        removeRule(rules, position).map((rule, place) => ({ ...rule, value: rules[place]?.value ?? rule.value })),
    }),
  },
  {
    id: 'delete.turns-the-direction-of-the-next',
    breaks: ['plugin.delete.keeps-order'],
    summary: 'DELETE inverts the direction of the rule that moves into the removed position.',
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
    breaks: ['plugin.sequence.list'],
    summary: 'Every eighth DELETE also removes the first rule.',
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
