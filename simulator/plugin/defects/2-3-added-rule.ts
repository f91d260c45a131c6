import type { Changes } from '../../defect-parts/wire.ts'
import type { Rule } from '../model/rule.ts'
import { type Defect, rows } from './defect.ts'
import { given } from './known.ts'
import { listsRule } from './overrides.ts'

/** A server that lists rules in another form if they came through the API; those of Copy_N are right. */
const listsAdded = (changes: (rule: Rule) => Changes) =>
  given((known) => listsRule((rule) => (known.added.has(rule) ? changes(rule) : {})))

/** Clause 2.3: the form of a rule that was added through the API. */
export const addedRuleDefects: readonly Defect[] = rows('plugin.rule.fields', {
  'rule.added-direction-in-capitals': [
    'The direction of an added rule is listed in upper case.',
    listsAdded(({ direction }) => ({ direction: direction.toUpperCase() })),
  ],
  'rule.added-without-direction': [
    'The direction of an added rule is not listed before the next start.',
    listsAdded(() => ({ direction: undefined })),
  ],
  'rule.added-master-as-text': [
    'The master of an added rule is listed as a string.',
    listsAdded(({ master }) => ({ master: String(master) })),
  ],
  'rule.added-fixed-listed-as-lot': [
    'The mode fixed of an added rule is listed as lot.',
    listsAdded(({ mode }) => ({ mode: mode === 'fixed' ? 'lot' : mode })),
  ],
  'rule.added-value-cut-to-zero': [
    'The value of an added rule is listed as 0 if it is below 1.',
    listsAdded(({ value }) => ({ value: value < 1 ? 0 : value })),
  ],
})
