import { type Defect, rows } from './defect.ts'
import { countedFromOne } from './masks.ts'
import { listsRule } from './overrides.ts'

/** Clause 2.3: the form of a listed rule. */
export const listedRuleDefects: readonly Defect[] = [
  ...rows('plugin.rule.fields', {
    'rule.direction-left-out-when-same': [
      'The direction is omitted when it is same.',
      listsRule(({ direction }) => ({ direction: direction === 'same' ? undefined : direction })),
    ],
    'rule.index-zero-left-out': [
      'The index 0 is omitted, as by serializers that drop zero values.',
      listsRule((_, index) => ({ index: index === 0 ? undefined : index })),
      countedFromOne,
    ],
    'rule.logins-as-text': [
      'Logins are listed as strings.',
      listsRule(({ master, follower }) => ({ master: String(master), follower: String(follower) })),
    ],
    'rule.index-as-text': ['The index is listed as a string.', listsRule((_, index) => ({ index: String(index) }))],
    'rule.mode-as-number': [
      'The mode is listed as its enum number.',
      listsRule(({ mode }) => ({ mode: mode === 'mult' ? 0 : 1 })),
    ],
    'rule.same-listed-as-null': [
      'The direction same is listed as null.',
      listsRule(({ direction }) => ({ direction: direction === 'same' ? null : direction })),
    ],
  }),
  ...rows(['plugin.rule.fields', 'plugin.rule.as-sent'], {
    'rule.fixed-listed-as-lot': [
      'The mode fixed is listed as lot.',
      listsRule(({ mode }) => ({ mode: mode === 'fixed' ? 'lot' : mode })),
    ],
    'rule.value-as-text': ['The value is listed as a string.', listsRule(({ value }) => ({ value: String(value) }))],
    'rule.value-listed-with-one-decimal': [
      'The value is stored exactly but listed with one decimal, so a small lot is listed as 0.',
      listsRule(({ value }) => ({ value: Math.round(value * 10) / 10 })),
    ],
    'rule.direction-in-capitals': [
      'The direction is listed in upper case.',
      listsRule(({ direction }) => ({ direction: direction.toUpperCase() })),
    ],
  }),
  ...rows('plugin.rule.index-is-position', {
    'rule.index-from-one-behind-the-first': [
      'The index of the second rule is omitted.',
      ({ ruleBody, indexOf }) => ({
        ruleBody: (rule, index) => ruleBody(rule, index === indexOf(0) ? index : index + 1),
      }),
    ],
  }),
]
