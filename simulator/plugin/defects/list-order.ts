import type { Rule } from '../model/rule.ts'
import type { RuleList } from '../model/rule-list.ts'
import type { Defect } from './defect.ts'

type Field = 'master' | 'follower' | 'value'

/** The list in ascending order of a field; equal rules keep their order. */
function sorted(rules: RuleList, field: Field): RuleList {
  const key = (rule: Rule) => Number(rule[field])
  return rules.toSorted((one, other) => key(one) - key(other))
}

/** Two orders of one list that disagree; the rules themselves are right. */
export const listOrderDefects: readonly Defect[] = [
  ...(['master', 'follower', 'value'] as const).flatMap((field): readonly Defect[] => [
    {
      id: `delete.positions-by-${field}`,
      breaks: ['plugin.delete.keeps-order'],
      summary: `DELETE counts the rules in ascending order of ${field}, and the list shows them as they were added.`,
      override: ({ removeRule }) => ({
        removeRule: (rules, position) => {
          const meant = sorted(rules, field)[position]
          return removeRule(rules, meant === undefined ? position : rules.indexOf(meant))
        },
      }),
    },
    {
      id: `delete.sorts-by-${field}`,
      breaks: ['plugin.delete.keeps-order'],
      summary: `DELETE leaves the list in ascending order of ${field}.`,
      override: ({ removeRule }) => ({ removeRule: (rules, position) => sorted(removeRule(rules, position), field) }),
    },
    {
      id: `file.ascending-by-${field}`,
      breaks: ['plugin.persist.list'],
      summary: `The rules are saved in ascending order of ${field}.`,
      override: ({ encodeFile }) => ({ encodeFile: (rules) => encodeFile(sorted(rules, field)) }),
    },
  ]),
  {
    id: 'delete.finds-rule-by-its-master',
    breaks: ['plugin.delete.keeps-order'],
    summary: 'DELETE removes the first rule with the master of the rule at the index.',
    override: ({ removeRule }) => ({
      removeRule: (rules, position) =>
        removeRule(
          rules,
          rules.findIndex(({ master }) => master === rules[position]?.master),
        ),
    }),
  },
]
