import { withoutMember } from '../../defect-parts/wire.ts'
import type { Defect } from './defect.ts'
import { countedFromOne } from './masks.ts'
import { listsRule } from './overrides.ts'

/** Clause 2.3: the form of a listed rule. */
export const listedRuleDefects: readonly Defect[] = [
  {
    id: 'rule.direction-left-out-when-same',
    breaks: ['plugin.rule.fields'],
    summary: 'The direction is omitted when it is same.',
    override: ({ ruleBody }) => ({
      ruleBody: (rule, index) =>
        rule.direction === 'same' ? withoutMember(ruleBody(rule, index), 'direction') : ruleBody(rule, index),
    }),
  },
  {
    id: 'rule.index-zero-left-out',
    breaks: ['plugin.rule.fields'],
    maskedBy: countedFromOne,
    summary: 'The index 0 is omitted, as by serializers that drop zero values.',
    override: ({ ruleBody }) => ({
      ruleBody: (rule, index) => (index === 0 ? withoutMember(ruleBody(rule, index), 'index') : ruleBody(rule, index)),
    }),
  },
  {
    id: 'rule.logins-as-text',
    breaks: ['plugin.rule.fields'],
    summary: 'Logins are listed as strings.',
    override: listsRule(({ master, follower }) => ({ master: String(master), follower: String(follower) })),
  },
  {
    id: 'rule.index-as-text',
    breaks: ['plugin.rule.fields'],
    summary: 'The index is listed as a string.',
    override: listsRule((_, index) => ({ index: String(index) })),
  },
  {
    id: 'rule.mode-as-number',
    breaks: ['plugin.rule.fields'],
    summary: 'The mode is listed as its enum number.',
    override: listsRule(({ mode }) => ({ mode: mode === 'mult' ? 0 : 1 })),
  },
  {
    id: 'rule.fixed-listed-as-lot',
    breaks: ['plugin.rule.fields', 'plugin.rule.as-sent'],
    summary: 'The mode fixed is listed as lot.',
    override: listsRule(({ mode }) => ({ mode: mode === 'fixed' ? 'lot' : mode })),
  },
  {
    id: 'rule.value-as-text',
    breaks: ['plugin.rule.fields', 'plugin.rule.as-sent'],
    summary: 'The value is listed as a string.',
    override: listsRule(({ value }) => ({ value: String(value) })),
  },
  {
    id: 'rule.value-listed-with-one-decimal',
    breaks: ['plugin.rule.fields', 'plugin.rule.as-sent'],
    summary: 'The value is stored exactly but listed with one decimal, so a small lot is listed as 0.',
    override: listsRule(({ value }) => ({ value: Math.round(value * 10) / 10 })),
  },
  {
    id: 'rule.direction-in-capitals',
    breaks: ['plugin.rule.fields', 'plugin.rule.as-sent'],
    summary: 'The direction is listed in upper case.',
    override: listsRule(({ direction }) => ({ direction: direction.toUpperCase() })),
  },
  {
    id: 'rule.same-listed-as-null',
    breaks: ['plugin.rule.fields'],
    summary: 'The direction same is listed as null.',
    override: listsRule(({ direction }) => ({ direction: direction === 'same' ? null : direction })),
  },
  {
    id: 'rule.index-from-one-behind-the-first',
    breaks: ['plugin.rule.index-is-position'],
    summary: 'The index of the second rule is omitted.',
    override: ({ ruleBody, indexOf }) => ({
      ruleBody: (rule, index) => ruleBody(rule, index === indexOf(0) ? index : index + 1),
    }),
  },
]
