import { addAtStart } from '../model/rule-list.ts'
import type { Defect } from './defect.ts'
import { withMembers, withoutMember } from './wire.ts'

/** Clause 4.2: the answer to a valid POST, and what else it changes. */
export const addResponseDefects: readonly Defect[] = [
  {
    id: 'add.answers-200',
    breaks: ['plugin.add.created'],
    summary: 'A rule that was added is answered with 200.',
    override: () => ({ addedStatus: 200 }),
  },
  {
    id: 'add.success-as-text',
    breaks: ['plugin.add.answer-success'],
    summary: 'success is the text "true".',
    override: ({ addedBody }) => ({
      addedBody: (rule, index) => withMembers(addedBody(rule, index), { success: 'true' }),
    }),
  },
  {
    id: 'add.success-is-false',
    breaks: ['plugin.add.answer-success'],
    summary: 'success is whether the trading platform has confirmed the rule, which it has not yet.',
    override: ({ addedBody }) => ({
      addedBody: (rule, index) => withMembers(addedBody(rule, index), { success: false }),
    }),
  },
  {
    id: 'add.index-as-text',
    breaks: ['plugin.add.answer-index'],
    summary: 'The index of the new rule is a string.',
    override: ({ addedBody }) => ({
      addedBody: (rule, index) => withMembers(addedBody(rule, index), { index: String(index) }),
    }),
  },
  {
    id: 'add.without-index',
    breaks: ['plugin.add.answer-index', 'plugin.add.index-of-new-rule'],
    summary: 'The answer does not say the index of the new rule.',
    override: ({ addedBody }) => ({
      addedBody: (rule, index) => withoutMember(addedBody(rule, index), 'index'),
    }),
  },
  {
    id: 'add.answer-swaps-logins',
    breaks: ['plugin.add.answer-logins'],
    summary: 'The answer names the follower as master and the master as follower.',
    override: ({ addedBody }) => ({
      addedBody: (rule, index) => addedBody({ ...rule, master: rule.follower, follower: rule.master }, index),
    }),
  },
  {
    id: 'add.answer-logins-as-text',
    breaks: ['plugin.add.answer-logins'],
    summary: 'The answer repeats the logins as strings.',
    override: ({ addedBody }) => ({
      addedBody: (rule, index) =>
        withMembers(addedBody(rule, index), { master: String(rule.master), follower: String(rule.follower) }),
    }),
  },
  {
    id: 'add.index-is-total',
    breaks: ['plugin.add.index-of-new-rule'],
    summary: 'The index is the length of the list after the addition: one too many.',
    override: ({ indexOf }) => ({ reportedIndex: (_, total) => indexOf(total) }),
  },
  {
    id: 'add.index-counts-additions',
    breaks: ['plugin.add.index-of-new-rule'],
    summary: 'The index goes up by one with each addition, whatever was removed in between.',
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
    summary: 'A new rule goes before all others, and the index is that of the end.',
    override: ({ indexOf }) => ({ addRule: addAtStart, reportedIndex: (_, total) => indexOf(total - 1) }),
  },
  {
    id: 'add.growing-loses-the-last',
    breaks: ['plugin.add.leaves-others'],
    summary: 'When the list has grown to five rules, making room for a sixth loses the fifth.',
    override: ({ addRule }) => ({
      addRule: (rules, rule) => addRule(rules.length === 5 ? rules.slice(0, 4) : rules, rule),
    }),
  },
  {
    id: 'add.stores-it-twice',
    breaks: ['plugin.list.all-active', 'plugin.list.total-follows', 'plugin.add.leaves-others'],
    summary: 'Each new rule is stored twice.',
    override: ({ addRule }) => ({ addRule: (rules, rule) => addRule([...rules, rule], rule) }),
  },
  {
    id: 'add.new-value-for-the-rule-before',
    breaks: ['plugin.list.all-active', 'plugin.add.leaves-others'],
    summary: 'A new rule halves the value of the rule before it.',
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
    breaks: ['plugin.add.leaves-others', 'plugin.delete.sequence'],
    summary: 'The others are turned round by each addition, as a stack is when it is copied.',
    override: ({ addRule }) => ({ addRule: (rules, rule) => addRule(rules.toReversed(), rule) }),
  },
]
