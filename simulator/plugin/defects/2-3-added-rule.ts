import type { Members as Listed } from '../../defect-parts/wire.ts'
import { withMembers, withoutMember } from '../../defect-parts/wire.ts'
import type { Json } from '../../server/response.ts'
import type { Rule } from '../model/rule.ts'
import type { Defect } from './defect.ts'

/** A server that lists rules in another form if they came through the API; those of Copy_N are right. */
function listsAdded(become: (body: Json, rule: Rule) => Json): Defect['override'] {
  return ({ addRule, ruleBody }) => {
    const added = new WeakSet<Rule>()
    return {
      addRule: (rules, rule) => {
        added.add(rule)
        return addRule(rules, rule)
      },
      ruleBody: (rule, index) => (added.has(rule) ? become(ruleBody(rule, index), rule) : ruleBody(rule, index)),
    }
  }
}

const members = (changes: (rule: Rule) => Listed) => listsAdded((body, rule) => withMembers(body, changes(rule)))

/** Clause 2.3: the form of a rule that was added through the API. */
export const addedRuleDefects: readonly Defect[] = [
  {
    id: 'rule.added-direction-in-capitals',
    breaks: ['plugin.rule.fields'],
    summary: 'The direction of an added rule is listed in upper case.',
    override: members(({ direction }) => ({ direction: direction.toUpperCase() })),
  },
  {
    id: 'rule.added-without-direction',
    breaks: ['plugin.rule.fields'],
    summary: 'The direction of an added rule is not listed before the next start.',
    override: listsAdded((body) => withoutMember(body, 'direction')),
  },
  {
    id: 'rule.added-master-as-text',
    breaks: ['plugin.rule.fields'],
    summary: 'The master of an added rule is listed as a string.',
    override: members(({ master }) => ({ master: String(master) })),
  },
  {
    id: 'rule.added-fixed-listed-as-lot',
    breaks: ['plugin.rule.fields'],
    summary: 'The mode fixed of an added rule is listed as lot.',
    override: members(({ mode }) => ({ mode: mode === 'fixed' ? 'lot' : mode })),
  },
  {
    id: 'rule.added-value-cut-to-zero',
    breaks: ['plugin.rule.fields'],
    summary: 'The value of an added rule is listed as 0 if it is below 1.',
    override: members(({ value }) => ({ value: value < 1 ? 0 : value })),
  },
]
