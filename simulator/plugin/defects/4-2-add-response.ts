import { withoutMember } from '../../defect-parts/wire.ts'
import { sameContent } from '../model/rule.ts'
import { addAtStart, type RuleList } from '../model/rule-list.ts'
import type { Defect } from './defect.ts'
import { returnsAdded } from './overrides.ts'
import { whileIn } from './states.ts'

/** Clause 4.2: the answer to a valid POST, and what else it changes. */
export const addResponseDefects: readonly Defect[] = [
  {
    id: 'add.answers-200',
    breaks: ['plugin.add.created'],
    summary: 'POST returns 200 instead of 201.',
    override: () => ({ addedStatus: 200 }),
  },
  {
    id: 'add.success-as-text',
    breaks: ['plugin.add.created'],
    summary: 'success is the string "true".',
    override: returnsAdded(() => ({ success: 'true' })),
  },
  {
    id: 'add.success-is-false',
    breaks: ['plugin.success-is-true'],
    summary: 'success is false in the response to a successful POST.',
    override: returnsAdded(() => ({ success: false })),
  },
  {
    id: 'add.first-success-is-false',
    breaks: ['plugin.success-is-true'],
    summary: 'success is false in the response to a POST that adds the first rule of the list.',
    override: whileIn(
      'empty',
      returnsAdded(() => ({ success: false })),
    ),
  },
  {
    id: 'add.index-as-text',
    breaks: ['plugin.add.created'],
    summary: 'The index of the new rule is a string.',
    override: returnsAdded((_, index) => ({ index: String(index) })),
  },
  {
    id: 'add.without-index',
    breaks: ['plugin.add.created', 'plugin.add.index-of-new-rule'],
    summary: 'The response to a POST does not contain the index of the new rule.',
    override: ({ addedBody }) => ({
      addedBody: (rule, index) => withoutMember(addedBody(rule, index), 'index'),
    }),
  },
  {
    id: 'add.answer-swaps-logins',
    breaks: ['plugin.add.created'],
    summary: 'The response to a POST swaps master and follower.',
    override: ({ addedBody }) => ({
      addedBody: (rule, index) => addedBody({ ...rule, master: rule.follower, follower: rule.master }, index),
    }),
  },
  {
    id: 'add.answer-logins-as-text',
    breaks: ['plugin.add.created'],
    summary: 'The response to a POST repeats the logins as strings.',
    override: returnsAdded(({ master, follower }) => ({ master: String(master), follower: String(follower) })),
  },
  {
    id: 'add.index-is-total',
    breaks: ['plugin.add.index-of-new-rule'],
    summary: 'The returned index is the length of the list after the POST: one too high.',
    override: ({ indexOf }) => ({ reportedIndex: (_, total) => indexOf(total) }),
  },
  {
    id: 'add.index-counts-additions',
    breaks: ['plugin.add.index-of-new-rule'],
    summary: 'The returned index increases by one with each POST, regardless of removals.',
    override: ({ reportedIndex }) => {
      let next: number | undefined
      return {
        reportedIndex: (position, total) => {
          const index = next ?? reportedIndex(position, total)
          next = index + 1
          return index
        },
      }
    },
  },
  {
    id: 'add.at-start-with-index-of-end',
    breaks: ['plugin.add.index-of-new-rule'],
    summary: 'A new rule is inserted first, but the returned index is that of the last rule.',
    override: ({ indexOf }) => ({ addRule: addAtStart, reportedIndex: (_, total) => indexOf(total - 1) }),
  },
  {
    id: 'add.index-field-sets-the-position',
    breaks: ['plugin.add.index-of-new-rule'],
    maskedBy: [{ answers: { 'plugin.body.unknown-member': 'refused' } }],
    summary:
      'An extra field index of the body is the position of the new rule, but the returned index is the usual one.',
    override: ({ membersOf, addRule }) => {
      let wanted = Number.NaN
      return {
        membersOf: (value) => {
          const members = membersOf(value)
          wanted = Number(members.index)
          return members
        },
        addRule: (rules, rule) => {
          const added = addRule(rules, rule)
          return Number.isNaN(wanted) ? added : { ...added, rules: rules.toSpliced(wanted, 0, rule) }
        },
      }
    },
  },
  {
    id: 'add.index-field-replaces-the-rule-there',
    breaks: ['plugin.add.index-of-new-rule'],
    maskedBy: [{ answers: { 'plugin.body.unknown-member': 'refused' } }],
    summary: 'With an extra field index in the body, the new rule replaces the one at that index.',
    override: ({ membersOf, positionOf, addRule }) => {
      let wanted = Number.NaN
      return {
        membersOf: (value) => {
          const members = membersOf(value)
          wanted = positionOf(Number(members.index))
          return members
        },
        addRule: (rules, rule) =>
          rules[wanted] === undefined ? addRule(rules, rule) : { rules: rules.with(wanted, rule), position: wanted },
      }
    },
  },
  {
    id: 'add.removed-rule-not-added-again',
    breaks: ['plugin.add.leaves-others'],
    summary: 'A POST of a rule that was removed before returns 201 and adds nothing.',
    override: ({ addRule, removeRule }) => {
      let removed: RuleList = []
      return {
        removeRule: (rules, position) => {
          removed = [...removed, ...rules.slice(position, position + 1)]
          return removeRule(rules, position)
        },
        addRule: (rules, rule) =>
          removed.some((known) => sameContent(known, rule)) ? { rules, position: rules.length } : addRule(rules, rule),
      }
    },
  },
  {
    id: 'add.growing-loses-the-last',
    breaks: ['plugin.add.leaves-others'],
    summary: 'When a sixth rule is added, the fifth is lost.',
    override: ({ addRule }) => ({
      addRule: (rules, rule) => addRule(rules.length === 5 ? rules.slice(0, 4) : rules, rule),
    }),
  },
  {
    id: 'add.stores-it-twice',
    breaks: ['plugin.list.all-active', 'plugin.add.leaves-others'],
    summary: 'Each new rule is stored twice.',
    override: ({ addRule }) => ({ addRule: (rules, rule) => addRule([...rules, rule], rule) }),
  },
  {
    id: 'add.new-value-for-the-rule-before',
    breaks: ['plugin.list.all-active', 'plugin.add.leaves-others'],
    summary: 'A POST halves the value of the previous rule.',
    // Where rules are added at the start, the last rule is one that was there before.
    maskedBy: [{ answers: { 'plugin.add.position': 'start' }, from: ['plugin.list.all-active'] }],
    override: ({ addRule }) => ({
      addRule: (rules, rule) =>
        addRule(
          rules.map((known, place) => (place === rules.length - 1 ? { ...known, value: known.value / 2 } : known)),
          rule,
        ),
    }),
  },
  {
    id: 'add.turns-the-others-round',
    breaks: ['plugin.add.leaves-others', 'plugin.sequence.list'],
    summary: 'Each POST reverses the order of the other rules.',
    override: ({ addRule }) => ({ addRule: (rules, rule) => addRule(rules.toReversed(), rule) }),
  },
]
