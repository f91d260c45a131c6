import type { Rule } from '../model/rule.ts'
import type { RuleList } from '../model/rule-list.ts'
import { type Defect, rows } from './defect.ts'
import { files, removes } from './overrides.ts'

type Field = 'master' | 'follower' | 'value'

/** The list in ascending order of a field; equal rules keep their order. */
function sorted(rules: RuleList, field: Field): RuleList {
  const key = (rule: Rule) => Number(rule[field])
  return rules.toSorted((one, other) => key(one) - key(other))
}

/** Two orders of one list that disagree; the rules themselves are right. */
export const listOrderDefects: readonly Defect[] = [
  ...rows('plugin.delete.keeps-order', {
    'delete.finds-rule-by-its-master': [
      'DELETE removes the first rule with the master of the rule at the index.',
      removes((rules, position) => rules.findIndex(({ master }) => master === rules[position]?.master)),
    ],
  }),
  ...(['master', 'follower', 'value'] as const).flatMap((field) => [
    ...rows('plugin.delete.keeps-order', {
      [`delete.positions-by-${field}`]: [
        `DELETE counts the rules in ascending order of ${field}, and the list shows them as they were added.`,
        removes((rules, position) => {
          const meant = sorted(rules, field)[position]
          return meant === undefined ? position : rules.indexOf(meant)
        }),
      ],
      [`delete.sorts-by-${field}`]: [
        `DELETE leaves the list in ascending order of ${field}.`,
        ({ removeRule }) => ({ removeRule: (rules, position) => sorted(removeRule(rules, position), field) }),
      ],
    }),
    ...rows('plugin.persist.list', {
      [`file.ascending-by-${field}`]: [
        `The rules are saved in ascending order of ${field}.`,
        files((rules) => sorted(rules, field)),
      ],
    }),
  ]),
]
