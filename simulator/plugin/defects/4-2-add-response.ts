import { sameContent } from '../model/rule.ts'
import { addAtStart } from '../model/rule-list.ts'
import { type Defect, rows } from './defect.ts'
import { given, knowing } from './known.ts'
import { addsTo, ignores, returnsAdded } from './overrides.ts'
import { whileIn } from './states.ts'

const unsuccessful = returnsAdded(() => ({ success: false }))

/** Clause 4.2: the answer to a valid POST, and what else it changes. */
export const addResponseDefects: readonly Defect[] = [
  ...rows('plugin.add.created', {
    'add.answers-200': ['POST returns 200 instead of 201.', () => ({ addedStatus: 200 })],
    'add.success-as-text': ['success is the string "true".', returnsAdded(() => ({ success: 'true' }))],
    'add.index-as-text': [
      'The index of the new rule is a string.',
      returnsAdded((_, index) => ({ index: String(index) })),
    ],
    'add.answer-swaps-logins': [
      'The response to a POST swaps master and follower.',
      returnsAdded(({ master, follower }) => ({ master: follower, follower: master })),
    ],
  }),
  ...rows('plugin.success-is-true', {
    'add.success-is-false': ['success is false in the response to a successful POST.', unsuccessful],
    'add.first-success-is-false': [
      'success is false in the response to a POST that adds the first rule of the list.',
      whileIn('empty', unsuccessful),
    ],
  }),
  ...rows(['plugin.add.created', 'plugin.add.index-of-new-rule'], {
    'add.without-index': [
      'The response to a POST does not contain the index of the new rule.',
      returnsAdded(() => ({ index: undefined })),
    ],
  }),
  ...rows('plugin.add.index-of-new-rule', {
    'add.index-is-total': [
      'The returned index is the length of the list after the POST: one too high.',
      ({ indexOf }) => ({ reportedIndex: (_, total) => indexOf(total) }),
    ],
    'add.index-counts-additions': [
      'The returned index increases by one with each POST, regardless of removals.',
      ({ reportedIndex }) => {
        let next: number | undefined
        return {
          reportedIndex: (position, total) => {
            next = next === undefined ? reportedIndex(position, total) : next + 1
            return next
          },
        }
      },
    ],
    'add.at-start-with-index-of-end': [
      'A new rule is inserted first, but the returned index is that of the last rule.',
      ({ indexOf }) => ({ addRule: addAtStart, reportedIndex: (_, total) => indexOf(total - 1) }),
    ],
    'add.index-field-sets-the-position': [
      'An extra field index of the body is the position of the new rule, but the returned index is the usual one.',
      knowing(({ addRule }, known) => ({
        addRule: (rules, rule) => {
          const added = addRule(rules, rule)
          const index = Number(known.members.index)
          return Number.isNaN(index) ? added : { ...added, rules: rules.toSpliced(index, 0, rule) }
        },
      })),
      [{ answers: { 'plugin.body.unknown-member': 'refused' } }],
    ],
    'add.index-field-replaces-the-rule-there': [
      'With an extra field index in the body, the new rule replaces the one at that index.',
      knowing(({ positionOf, addRule }, known) => ({
        addRule: (rules, rule) => {
          const position = positionOf(Number(known.members.index))
          return rules[position] === undefined ? addRule(rules, rule) : { rules: rules.with(position, rule), position }
        },
      })),
      [{ answers: { 'plugin.body.unknown-member': 'refused' } }],
    ],
  }),
  ...rows('plugin.add.leaves-others', {
    'add.removed-rule-not-added-again': [
      'A POST of a rule that was removed before returns 201 and adds nothing.',
      given((known) => ignores((rule) => known.removed.some((removed) => sameContent(removed, rule)))),
    ],
    'add.growing-loses-the-last': [
      'When a sixth rule is added, the fifth is lost.',
      addsTo((rules) => (rules.length === 5 ? rules.slice(0, 4) : rules)),
    ],
  }),
  ...rows(['plugin.list.all-active', 'plugin.add.leaves-others'], {
    'add.stores-it-twice': ['Each new rule is stored twice.', addsTo((rules, rule) => [...rules, rule])],
    'add.new-value-for-the-rule-before': [
      'A POST halves the value of the previous rule.',
      addsTo((rules) => [
        ...rules.slice(0, -1),
        ...rules.slice(-1).map((rule) => ({ ...rule, value: rule.value / 2 })),
      ]),
      // Where rules are added at the start, the last rule is one that was there before.
      [{ answers: { 'plugin.add.position': 'start' }, from: ['plugin.list.all-active'] }],
    ],
  }),
  ...rows(['plugin.add.leaves-others', 'plugin.sequence.list'], {
    'add.turns-the-others-round': [
      'Each POST reverses the order of the other rules.',
      addsTo((rules) => rules.toReversed()),
    ],
  }),
]
