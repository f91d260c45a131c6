import type { Override } from '../hooks/hooks.ts'
import type { Rule } from '../model/rule.ts'
import type { RuleList } from '../model/rule-list.ts'
import { type Defect, type Mask, masked, rows } from './defect.ts'
import { withKnown } from './known.ts'
import { smallValuesRejected } from './masks.ts'
import { files, loads } from './overrides.ts'

/** A server whose file holds other values of each rule than its memory. */
function filesEach(change: (rule: Rule) => Partial<Rule>): Override {
  return files((rules) => rules.map((rule) => ({ ...rule, ...change(rule) })))
}

const rejectedRule = { master: 7001n, follower: 7002n, mode: 'mult', value: 1, direction: 'same' } as const

const longLoginsRejected: readonly Mask[] = [
  { answers: { 'plugin.login.above-31-bits': 'refused', 'plugin.login.above-53-bits': 'refused' } },
]

/** Clause 4.3 rule 1: the content of the rules file. Memory is correct; a restart shows the difference. */
export const fileDefects: readonly Defect[] = [
  ...rows('plugin.persist.list', {
    'file.value-to-two-decimals The file holds values with two decimals.': filesEach(({ value }) => ({
      value: Math.round(value * 100) / 100,
    })),
    'file.value-with-comma Values are written with a decimal comma and read up to it.': filesEach(({ value }) => ({
      value: Math.trunc(value),
    })),
    'file.value-with-six-decimals Values are written with six decimals (%f).': filesEach(({ value }) => ({
      value: Number(value.toFixed(6)),
    })),
    'file.value-exponent-dropped A value that is written with an exponent is read up to the e.': masked(
      filesEach(({ value }) => ({ value: Number(`${value}`.split('e')[0]) })),
      smallValuesRejected,
    ),
    'file.single-rule-loaded-as-empty A file with one rule is loaded as an empty list.': loads((rules) =>
      rules.length === 1 ? [] : rules,
    ),
    'file.master-as-double The master is written as a double.': masked(
      filesEach(({ master }) => ({ master: BigInt(Number(master)) })),
      { 'plugin.login.above-53-bits': 'refused' },
    ),
    'file.reverse-only-with-fixed The direction of rules with a factor is not saved and is same after a restart.':
      filesEach(({ mode }) => (mode === 'mult' ? { direction: 'same' } : {})),
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
]
