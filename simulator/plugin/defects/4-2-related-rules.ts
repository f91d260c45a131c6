import { type Rule, sameContent, samePair } from '../model/rule.ts'
import type { RuleList } from '../model/rule-list.ts'
import type { Defect } from './defect.ts'
import { duplicatesRejected, samePairRejected, selfCopyRejected } from './masks.ts'

type Related = (one: Rule, other: Rule) => boolean

const sameFollower: Related = (one, other) => one.follower === other.follower
const opposite: Related = (one, other) => one.master === other.follower && one.follower === other.master

/** A server that takes a rule which is related to a known one for another version of that one. */
function replaces(related: Related): Defect['override'] {
  return ({ addRule }) => ({
    addRule: (rules, rule) => {
      const position = rules.findIndex((known) => related(known, rule))
      return position === -1 ? addRule(rules, rule) : { rules: rules.with(position, rule), position }
    },
  })
}

/** A server that finds the rule to remove by what it has in common with the one at the index. */
function removes(found: (rules: RuleList, meant: Rule) => number): Defect['override'] {
  return ({ removeRule }) => ({
    removeRule: (rules, position) => {
      const meant = rules[position]
      return removeRule(rules, meant === undefined ? position : found(rules, meant))
    },
  })
}

/** A server whose file has room for one of several rules that are so related: the last one. */
function readsOnce(related: Related): Defect['override'] {
  return ({ decodeFile }) => ({
    decodeFile: (bytes) => {
      const rules = decodeFile(bytes)
      return rules.filter((rule, place) => !rules.slice(place + 1).some((later) => related(rule, later)))
    },
  })
}

/** Clauses 3 and 4.2: rules that have much in common, and are rules of their own nevertheless. */
export const relatedRuleDefects: readonly Defect[] = [
  {
    id: 'add.replaces-rule-of-same-pair',
    breaks: ['plugin.add.leaves-others'],
    maskedBy: samePairRejected,
    summary: 'A rule for an existing master and follower replaces the existing rule and returns 201.',
    override: replaces((one, other) => samePair(one, other) && !sameContent(one, other)),
  },
  {
    id: 'add.replaces-rule-of-same-follower',
    breaks: ['plugin.add.leaves-others'],
    summary: 'A follower has one master: a rule for another master replaces the first rule and returns 201.',
    override: replaces((one, other) => sameFollower(one, other) && one.master !== other.master),
  },
  {
    id: 'add.same-rule-stored-once',
    breaks: ['plugin.add.leaves-others'],
    maskedBy: duplicatesRejected,
    summary: 'A duplicate rule returns 201 but is not added.',
    override: replaces(sameContent),
  },
  {
    id: 'persist.one-rule-for-each-pair',
    breaks: ['plugin.persist.added'],
    maskedBy: [{ answers: { 'plugin.add.same-pair': 'refused', 'plugin.add.duplicate': 'refused' } }],
    summary:
      'Rules from the file are loaded into a map by master and follower, and only the last rule of each pair remains.',
    override: readsOnce(samePair),
  },
  {
    id: 'persist.equal-rules-once',
    breaks: ['plugin.persist.added'],
    maskedBy: duplicatesRejected,
    summary: 'Rules from the file are loaded into a set, and only one of several equal rules remains.',
    override: readsOnce(sameContent),
  },
  {
    id: 'add.pushes-out-opposite-pair',
    breaks: ['plugin.add.leaves-others'],
    summary: 'A rule from B to A replaces the one from A to B, to avoid circular trades.',
    override: ({ addRule }) => ({
      addRule: (rules, rule) =>
        addRule(
          rules.filter((known) => !opposite(known, rule) || known.master === known.follower),
          rule,
        ),
    }),
  },
  {
    id: 'add.self-copy-not-stored',
    breaks: ['plugin.add.leaves-others'],
    maskedBy: selfCopyRejected,
    summary: 'A rule whose master equals its follower returns 201 but is dropped.',
    override: ({ addRule }) => ({
      addRule: (rules, rule) =>
        rule.master === rule.follower ? { rules, position: rules.length } : addRule(rules, rule),
    }),
  },
  {
    id: 'delete.finds-rule-by-its-logins',
    breaks: ['plugin.delete.removes-that-rule'],
    maskedBy: samePairRejected,
    summary: 'The first rule with the same logins as the rule at the index is removed.',
    override: removes((rules, meant) => rules.findIndex((rule) => samePair(rule, meant))),
  },
  {
    id: 'delete.finds-last-rule-of-its-follower',
    breaks: ['plugin.delete.removes-that-rule'],
    summary: 'The last rule with the same follower as the rule at the index is removed.',
    override: removes((rules, meant) => rules.findLastIndex((rule) => sameFollower(rule, meant))),
  },
  {
    id: 'delete.removes-equal-rules-too',
    breaks: ['plugin.delete.removes-that-rule'],
    maskedBy: duplicatesRejected,
    summary: 'A removal is by value: all rules equal to the one at the index are removed with it.',
    override: () => ({
      removeRule: (rules, position) => {
        const meant = rules[position]
        return meant === undefined ? rules : rules.filter((rule) => !sameContent(rule, meant))
      },
    }),
  },
]
