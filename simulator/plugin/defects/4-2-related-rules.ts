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
    summary: 'A rule for an existing pair of master and follower replaces the existing rule, with 201.',
    override: replaces((one, other) => samePair(one, other) && !sameContent(one, other)),
  },
  ...(['direction', 'mode', 'value'] as const).map(
    (field): Defect => ({
      id: `add.replaces-rule-with-another-${field}`,
      breaks: ['plugin.add.leaves-others'],
      maskedBy: samePairRejected,
      summary: `A rule with the logins of another rule and another ${field} replaces that rule, with 201.`,
      override: replaces((one, other) => samePair(one, other) && one[field] !== other[field]),
    }),
  ),
  {
    id: 'add.replaces-rule-of-same-follower',
    breaks: ['plugin.add.leaves-others'],
    summary: 'A rule for a follower that already has one replaces it, with 201.',
    override: replaces((one, other) => sameFollower(one, other) && one.master !== other.master),
  },
  {
    id: 'add.same-rule-stored-once',
    breaks: ['plugin.add.leaves-others'],
    maskedBy: duplicatesRejected,
    summary: 'A rule that already exists returns 201 and is not added.',
    override: replaces(sameContent),
  },
  {
    id: 'add.same-rule-answered-409-but-stored',
    breaks: ['plugin.add.leaves-others'],
    maskedBy: duplicatesRejected,
    summary: 'A rule that already exists returns 409, but is added again.',
    override: ({ addRule }) => {
      let isKnown = false
      return {
        addRule: (rules, rule) => {
          isKnown = rules.some((known) => sameContent(known, rule))
          return addRule(rules, rule)
        },
        finish: (response) => (response.status === 201 && isKnown ? { ...response, status: 409 } : response),
      }
    },
  },
  {
    id: 'persist.one-rule-for-each-pair',
    breaks: ['plugin.persist.list'],
    maskedBy: [{ answers: { 'plugin.add.same-pair': 'refused', 'plugin.add.duplicate': 'refused' } }],
    summary: 'Only the last rule of each pair of master and follower is loaded from the file.',
    override: readsOnce(samePair),
  },
  {
    id: 'persist.equal-rules-once',
    breaks: ['plugin.persist.list'],
    maskedBy: duplicatesRejected,
    summary: 'Of identical rules in the file only one is loaded.',
    override: readsOnce(sameContent),
  },
  {
    id: 'add.twice-for-a-chunked-body',
    breaks: ['plugin.add.leaves-others'],
    summary: 'A POST with a chunked body adds its rule twice.',
    override: ({ readApiKeyHeader, addRule }) => {
      let isChunked = false
      return {
        readApiKeyHeader: (headers) => {
          isChunked = headers['transfer-encoding'] !== undefined
          return readApiKeyHeader(headers)
        },
        addRule: (rules, rule) => addRule(isChunked ? addRule(rules, rule).rules : rules, rule),
      }
    },
  },
  {
    id: 'add.pushes-out-opposite-pair',
    breaks: ['plugin.add.leaves-others'],
    summary: 'A rule from B to A replaces the rule from A to B.',
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
    summary: 'A rule whose master is its follower returns 201 and is not added.',
    override: ({ addRule }) => ({
      addRule: (rules, rule) =>
        rule.master === rule.follower ? { rules, position: rules.length } : addRule(rules, rule),
    }),
  },
  {
    id: 'delete.finds-rule-by-its-logins',
    breaks: ['plugin.delete.keeps-order'],
    maskedBy: samePairRejected,
    summary: 'DELETE removes the first rule with the logins of the rule at the index.',
    override: removes((rules, meant) => rules.findIndex((rule) => samePair(rule, meant))),
  },
  {
    id: 'delete.finds-last-rule-of-its-follower',
    breaks: ['plugin.delete.keeps-order'],
    summary: 'DELETE removes the last rule with the follower of the rule at the index.',
    override: removes((rules, meant) => rules.findLastIndex((rule) => sameFollower(rule, meant))),
  },
  {
    id: 'delete.removes-equal-rules-too',
    breaks: ['plugin.delete.keeps-order'],
    maskedBy: duplicatesRejected,
    summary: 'DELETE removes all rules that are identical to the rule at the index.',
    override: () => ({
      removeRule: (rules, position) => {
        const meant = rules[position]
        return meant === undefined ? rules : rules.filter((rule) => !sameContent(rule, meant))
      },
    }),
  },
]
