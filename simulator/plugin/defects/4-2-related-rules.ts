import { is } from '../../defect-parts/wire.ts'
import { type Rule, sameContent, samePair } from '../model/rule.ts'
import { arrayOf, type RuleList } from '../model/rule-list.ts'
import { type Defect, masked, maskedRows, rows } from './defect.ts'
import type { Mutation } from './known.ts'
import { duplicatesRejected, everyPairOnce, samePairRejected, selfCopyRejected } from './masks.ts'
import { addsTo, files, ignores, instead, leaves, loads, removes, removesFrom, responds, stores } from './overrides.ts'

type Field = 'master' | 'follower' | 'value'

/** The list sorted by a field; equal rules keep their order. */
function sorted(rules: RuleList, field: Field): RuleList {
  const key = (rule: Rule) => Number(rule[field])
  return rules.toSorted((one, other) => key(one) - key(other))
}

type Related = (one: Rule, other: Rule) => boolean

const opposite: Related = (one, other) => one.master === other.follower && one.follower === other.master

const inBits = ({ master, follower }: Rule) => `${BigInt(master) % 2n ** 32n} ${BigInt(follower) % 2n ** 32n}`

/** A server that treats a rule as an update of a related one. */
function replaces(related: Related): Mutation {
  return instead('addRule', ({ addRule }, rules, rule) => {
    const position = rules.findIndex((known) => related(known, rule))
    return position === -1 ? addRule(rules, rule) : { rules: rules.with(position, rule), position }
  })
}

/** A server that removes the first rule that is related to the one at the index. */
const removesFirst = (related: Related) =>
  removes((position, [rules]) =>
    rules.findIndex((rule, at) => at === position || related(rule, arrayOf(rules)[position] ?? rule)),
  )

/** A server that loads only the last of several related rules. */
const loadsLast = (related: Related) =>
  loads((rules) => rules.filter((rule, place) => !rules.slice(place + 1).some((later) => related(rule, later))))

/** A server that loads the last of several related rules in the place of the first. */
const loadsLastAsFirst = (related: Related) =>
  loads((rules) =>
    rules.flatMap((rule, place) => {
      const isFirst = rules.findIndex((one) => related(one, rule)) === place
      return isFirst ? (rules.findLast((one) => related(one, rule)) ?? []) : []
    }),
  )

/** Clauses 3 and 4.2: rules that have fields in common, and lists in another order. */
export const relatedRuleDefects: readonly Defect[] = [
  ...(['master', 'follower', 'value'] as const).flatMap((field) => [
    ...rows('plugin.delete.keeps-order', {
      [`delete.counts-by-${field} DELETE counts the rules in ascending order of ${field}, and the list shows them as they were added.`]:
        removesFrom((rules) => sorted(rules, field)),
      [`delete.sorts-by-${field} DELETE sorts the list by ${field}.`]: leaves((left) => sorted(left, field)),
    }),
    ...rows('plugin.persist.list', {
      [`file.ascending-by-${field} The rules are saved in order of ${field}.`]: files((rules) => sorted(rules, field)),
    }),
  ]),
  ...rows('plugin.add.leaves-others', {
    'add.replaces-rule-of-same-pair A rule for an existing pair of master and follower replaces the existing rule, with 201.':
      masked(samePairRejected)(replaces((one, other) => samePair(one, other) && !sameContent(one, other))),
    'add.replaces-rule-of-same-follower A rule for a follower that already has one replaces it, with 201.': () =>
      replaces((one, other) => one.follower === other.follower && one.master !== other.master),
    'add.replaces-rule-of-same-follower-in-the-other-mode A rule for a follower that has one of the other mode and another master replaces it, with 201.':
      replaces(
        (one, other) => one.follower === other.follower && one.master !== other.master && one.mode !== other.mode,
      ),
    'add.replaces-rule-with-the-same-32-bits A rule whose logins have the lowest 32 bits of another rule replaces that rule, with 201.':
      masked({ 'plugin.login.above-31-bits': 'refused' })(
        replaces((one, other) => inBits(one) === inBits(other) && !samePair(one, other)),
      ),
    'add.replaces-rule-with-the-same-32-bits-of-the-follower A rule whose follower has the lowest 32 bits of that of another rule of its master replaces that rule, with 201.':
      masked({ 'plugin.login.above-31-bits': 'refused' })(
        replaces((one, other) => inBits(one) === inBits(other) && one.master === other.master && !samePair(one, other)),
      ),
    'add.third-equal-rule-not-stored A rule of which there are two already returns 201 and is not added.': masked(
      duplicatesRejected,
    )(
      instead('addRule', ({ addRule }, rules, rule) =>
        arrayOf(rules).filter((known) => sameContent(known, rule)).length > 1
          ? { rules, position: rules.length - 1 }
          : addRule(rules, rule),
      ),
    ),
    'add.same-rule-stored-once A rule that already exists returns 201 and is not added.': masked(duplicatesRejected)(
      replaces(sameContent),
    ),
    'add.same-rule-returns-409-but-added A rule that already exists returns 409, but is added again.': masked(
      duplicatesRejected,
    )(
      responds(is(201), (response, _, { known: { rules, newest } }) => {
        const equal = rules.filter((rule) => newest && sameContent(rule, newest))
        return equal.length > 1 ? { ...response, status: 409 } : response
      }),
    ),
    'add.twice-for-a-chunked-body A POST with a chunked body adds its rule twice.': () =>
      instead('addRule', ({ addRule, known }, rules, rule) =>
        addRule(known.headers['transfer-encoding'] ? addRule(rules, rule).rules : rules, rule),
      ),
    'add.replaces-opposite-pair A rule from B to A replaces the rule from A to B.': () =>
      addsTo((rules, [, rule]) => rules.filter((known) => !opposite(known, rule) || known.master === known.follower)),
    'add.self-copy-not-stored A rule whose master is its follower returns 201 and is not added.': masked(
      selfCopyRejected,
    )(ignores(({ master, follower }) => master === follower)),
  }),
  ...maskedRows(duplicatesRejected, 'plugin.persist.list', {
    'persist.equal-rules-once Of identical rules in the file only one is loaded.': loadsLast(sameContent),
  }),
  ...maskedRows(everyPairOnce, 'plugin.persist.list', {
    'persist.one-rule-per-pair Only the last rule of each pair of master and follower is loaded from the file.':
      loadsLast(samePair),
    'persist.pair-updated-when-loaded A rule in the file replaces an earlier one of the same master and follower in its place.':
      loadsLastAsFirst(samePair),
  }),
  ...maskedRows(
    [...samePairRejected, { answers: { 'plugin.add.position': 'start' } }],
    'plugin.add.index-of-new-rule',
    {
      'add.index-of-first-same-pair The returned index is that of the first rule with the same master and follower.':
        instead('reportedIndex', ({ indexOf, known: { rules, newest } }) =>
          indexOf(rules.findIndex((rule) => newest && samePair(rule, newest))),
        ),
    },
  ),
  ...rows('plugin.delete.keeps-order', {
    'delete.last-removes-rules-of-follower DELETE of the last rule also removes all other rules with its follower.':
      masked({ 'plugin.add.position': 'start' })(
        leaves((left, _, { removal }) =>
          removal?.isLast ? left.filter(({ follower }) => follower !== removal.rule?.follower) : left,
        ),
      ),
    'delete.matches-by-logins DELETE removes the first rule with the logins of the rule at the index.': masked(
      everyPairOnce,
    )(removesFirst(samePair)),
    'delete.matches-by-master DELETE removes the first rule with the master of the rule at the index.': () =>
      removesFirst((one, other) => one.master === other.master),
    'delete.removes-equal-rules-too DELETE removes all rules that are identical to the rule at the index.': masked(
      duplicatesRejected,
    )(leaves((left, _, { removal }) => left.filter((rule) => !removal?.rule || !sameContent(rule, removal.rule)))),
    'delete.removes-first-of-identical-rules DELETE removes the first rule that is identical to the rule at the index.':
      masked(duplicatesRejected)(removesFirst(sameContent)),
    'delete.removes-last-of-identical-rules DELETE removes the last rule that is identical to the rule at the index.':
      masked(duplicatesRejected)(
        removes((position, [rules]) => {
          const removed = arrayOf(rules)[position]
          return removed === undefined ? position : rules.findLastIndex((rule) => sameContent(rule, removed))
        }),
      ),
  }),
  ...maskedRows(samePairRejected, 'plugin.add.leaves-others', {
    'add.replaces-rule-with-another-direction A rule with the logins of another rule and another direction replaces that rule, with 201.':
      replaces((one, other) => samePair(one, other) && one.direction !== other.direction),
    'add.other-mode-takes-value A rule with the logins of another rule and another mode is stored with the value of that rule.':
      stores((rule, [rules]) => ({
        ...rule,
        value: rules.find((one) => samePair(one, rule) && one.mode !== rule.mode)?.value ?? rule.value,
      })),
    'add.replaces-rule-with-another-mode A rule with the logins of another rule and another mode replaces that rule, with 201.':
      replaces((one, other) => samePair(one, other) && one.mode !== other.mode),
  }),
]
