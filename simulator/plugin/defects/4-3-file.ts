import { withMembers } from '../../defect-parts/wire.ts'
import type { Override } from '../hooks/hooks.ts'
import type { Rule } from '../model/rule.ts'
import type { RuleList } from '../model/rule-list.ts'
import { type Defect, type Mask, masked, rows } from './defect.ts'
import { withKnown } from './known.ts'
import { acrossStarts, files, loads } from './overrides.ts'

/** A server whose file holds other values of each rule than its memory. */
function filesEach(change: (rule: Rule) => Partial<Rule>): Override {
  return files((rules) => rules.map((rule) => ({ ...rule, ...change(rule) })))
}

/** A server that writes values below 0.0001 and from `large` on with an exponent, and reads them without it. */
function dropsExponent(large: number): Override {
  return filesEach(({ value }) => ({
    value: value < 1e-4 || value >= large ? Number(value.toExponential().split('e')[0]) : value,
  }))
}

/** A rule that no check sends. */
export const rejectedRule = { master: 7001n, follower: 7002n, mode: 'mult', value: 1, direction: 'same' } as const

const textOf = (rule: Rule) => Object.values(rule).join(' ')

/** A server whose file keeps the mode multiplier. */
const keepsAlias = acrossStarts(
  () => new Set<string>(),
  (aliased) =>
    withKnown(({ addRule, ruleBody }, known) => ({
      addRule: (rules, rule) => {
        if (known.sent.at(-1)?.mode === 'multiplier') aliased.add(textOf(rule))
        return addRule(rules, rule)
      },
      ruleBody: (rule, index) => {
        const isAlias = known.loaded.includes(rule) && aliased.has(textOf(rule))
        return withMembers(ruleBody(rule, index), isAlias ? { mode: 'multiplier' } : {})
      },
    })),
)

const longLoginsRejected: readonly Mask[] = [
  { answers: { 'plugin.login.above-31-bits': 'refused', 'plugin.login.above-53-bits': 'refused' } },
]

/** Clause 4.3 rule 1: the content of the rules file. Memory is correct; a restart shows the difference. */
export const fileDefects: readonly Defect[] = [
  ...rows('plugin.persist.list', {
    'file.value-with-comma Values are written with a decimal comma and read up to it, and a file with the value 0 is read as empty.':
      loads((rules) => {
        const loaded = rules.map((rule) => ({ ...rule, value: Math.trunc(rule.value) }))
        return loaded.every(({ value }) => value > 0) ? loaded : []
      }),
    'file.value-exponent-dropped A value that is written with an exponent is read up to the e.': dropsExponent(1e16),
    'file.large-value-exponent-dropped Values from 1000000 on are written with an exponent too, and read up to the e.':
      dropsExponent(1e6),
    'file.single-rule-loaded-as-empty A file with one rule is loaded as an empty list.': loads((rules) =>
      rules.length === 1 ? [] : rules,
    ),
    'file.master-as-double The master is written as a double.': masked(
      filesEach(({ master }) => ({ master: BigInt(Number(master)) })),
      { 'plugin.login.above-53-bits': 'refused' },
    ),
    'file.reverse-only-with-fixed The direction of rules with a factor is not saved and is same after a restart.':
      filesEach(({ mode }) => (mode === 'mult' ? { direction: 'same' } : {})),
    'file.reverse-only-with-a-factor The direction of fixed lots is not saved and is same after a restart.': filesEach(
      ({ mode }) => (mode === 'fixed' ? { direction: 'same' } : {}),
    ),
    'file.logins-swapped Master and follower are swapped when the file is read.': filesEach(({ master, follower }) => ({
      master: follower,
      follower: master,
    })),
    'file.multiplier-read-as-fixed The alias multiplier is saved as it was sent and read as fixed.': withKnown(
      (hooks, known) => {
        const aliased = new WeakSet<Rule>()
        return {
          ...filesEach((rule) => (aliased.has(rule) ? { mode: 'fixed' } : {}))(hooks),
          addRule: (rules, rule) => {
            if (known.sent.at(-1)?.mode === 'multiplier') aliased.add(rule)
            return hooks.addRule(rules, rule)
          },
        }
      },
    ),
    'file.multiplier-not-normalized The alias multiplier is saved as it was sent, and listed so after a restart.':
      keepsAlias,
    'file.loaded-in-reverse Rules are loaded in reverse order.': loads((rules) => rules.toReversed()),
    'file.rejected-rule-saved A rule that is rejected for its direction is saved with the next change.': files(
      (rules, { sent }) => (sent.some(({ direction }) => direction === 'other') ? [...rules, rejectedRule] : rules),
    ),
    'file.middle-removal-not-saved A rule that is removed from the middle of the list stays in the file.': (hooks) => {
      let marked: RuleList = []
      return {
        removeRule: (rules, position) => {
          if (position > 0 && position < rules.length - 1) marked = rules.slice(position, position + 1)
          return hooks.removeRule(rules, position)
        },
        encodeFile: (rules) => hooks.encodeFile([...rules, ...marked]),
      }
    },
    'file.appended-after-restart After a restart, each save writes the loaded rules in front of the list again.': files(
      (rules, { loaded }) => [...loaded.filter((rule) => !rules.includes(rule)), ...rules],
    ),
  }),
  ...rows('plugin.rule.value-double-precision', {
    'file.value-with-six-digits Values are written with six significant digits (%g).': filesEach(({ value }) => ({
      value: Number(value.toPrecision(6)),
    })),
  }),
  ...rows(['plugin.persist.list', 'plugin.start.file-wins'], {
    'file.last-line-not-loaded The last rule of the file is not loaded.': loads((rules) => rules.slice(0, -1)),
  }),
  ...(['master', 'follower'] as const).flatMap((login) =>
    rows('plugin.persist.list', {
      [`file.${login}-in-32-bits The ${login} is written as an unsigned 32-bit integer.`]: masked(
        filesEach((rule) => ({ [login]: BigInt.asUintN(32, rule[login]) })),
        longLoginsRejected,
      ),
    }),
  ),
  ...rows('plugin.persist.list', {
    'file.logins-in-32-bits Master and follower are written as unsigned 32-bit integers.': masked(
      filesEach(({ master, follower }) => ({
        master: BigInt.asUintN(32, master),
        follower: BigInt.asUintN(32, follower),
      })),
      longLoginsRejected,
    ),
  }),
  ...(['two', 'four', 'six'] as const).flatMap((count, at) =>
    rows('plugin.persist.list', {
      [`file.value-with-${count}-decimals Values are written with ${count} decimals.`]: filesEach(({ value }) => ({
        value: Number(value.toFixed(2 * at + 2)),
      })),
    }),
  ),
]
