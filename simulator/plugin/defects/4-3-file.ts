import { combine } from '../../defect-parts/combine.ts'
import { type Rule, sameContent } from '../model/rule.ts'
import { type Defect, type Mask, masked, maskedRows, rows } from './defect.ts'
import type { Mutation, Right } from './known.ts'
import { files, listsRule, loads } from './overrides.ts'

/** A server whose file holds other values of each rule than its memory. */
function filesEach(change: (rule: Rule) => Partial<Rule>): Mutation {
  return files((rules) => rules.map((rule) => ({ ...rule, ...change(rule) })))
}

/** A server that spells values in another way in its file. */
function filesValue(spell: (value: number) => string | undefined): Mutation {
  return filesEach(({ value }) => ({ value: Number(spell(value)) }))
}

/** A server that writes values below 0.0001 and from `large` on with an exponent, and reads them without it. */
function dropsExponent(large: number): Mutation {
  return filesValue((value) => (value < 1e-4 || value >= large ? value.toExponential().split('e')[0] : `${value}`))
}

/** A server that writes a login as an unsigned 32-bit integer. */
function filesIn32Bits(login: 'master' | 'follower'): Mutation {
  return filesEach((rule) => ({ [login]: BigInt.asUintN(32, rule[login]) }))
}

/** A rule that no client sends. */
export const unsentRule = { master: 7001n, follower: 7002n, mode: 'mult', value: 1, direction: 'same' } as const

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
    'file.single-rule-loaded-as-empty A file with one rule is loaded as an empty list.': () =>
      loads((rules) => (rules.length === 1 ? [] : rules)),
    'file.master-as-double The master is written as a double.': masked({ 'plugin.login.above-53-bits': 'refused' })(
      filesEach(({ master }) => ({ master: BigInt(Number(master)) })),
    ),
    'file.reverse-only-with-fixed The direction of rules with a factor is not saved and is same after a restart.':
      filesEach(({ mode }) => (mode === 'mult' ? { direction: 'same' } : {})),
    'file.reverse-only-with-a-factor The direction of fixed lots is not saved and is same after a restart.': () =>
      filesEach(({ mode }) => (mode === 'fixed' ? { direction: 'same' } : {})),
    'file.logins-swapped Master and follower are swapped when the file is read.': () =>
      filesEach(({ master, follower }) => ({ master: follower, follower: master })),
    'file.multiplier-read-as-fixed The alias multiplier is saved as it was sent and read as fixed.': () =>
      files((rules, _, { aliased }) =>
        rules.map((rule) => (aliased.includes(rule) ? { ...rule, mode: 'fixed' } : rule)),
      ),
    'file.multiplier-not-normalized The alias multiplier is saved as it was sent, and listed so after a restart.':
      listsRule((rule, _, { loaded, earlier }) => {
        const isAliased = earlier.some(({ aliased }) => aliased.some((one) => sameContent(one, rule)))
        return loaded.includes(rule) && isAliased ? { mode: 'multiplier' } : {}
      }),
    'file.loaded-in-reverse Rules are loaded in reverse order.': loads((rules) => rules.toReversed()),
    'file.rejected-rule-saved A rule that is rejected for its direction is saved with the next change.': files(
      (rules, _, { sent }) => (sent.some(({ direction }) => direction === 'other') ? [...rules, unsentRule] : rules),
    ),
    'file.middle-removal-not-saved A rule that is removed from the middle of the list stays in the file.': () =>
      files((rules, _, { changes }) => {
        const last = changes.findLast(({ name, position, isLast }) => name === 'remove-rule' && position > 0 && !isLast)
        return last?.rule === undefined ? rules : [...rules, last.rule]
      }),
    'file.appended-after-restart After a restart, each save writes the loaded rules in front of the list again.': () =>
      files((rules, _, { loaded }) => [...loaded.filter((rule) => !rules.includes(rule)), ...rules]),
    'file.value-with-two-decimals Values are written with two decimals.': filesValue((value) => value.toFixed(2)),
    'file.fixed-lot-with-two-decimals Fixed lots are written with two decimals, and are 0.01 at least.': filesEach(
      ({ mode, value }) => (mode === 'fixed' ? { value: Math.max(Number(value.toFixed(2)), 0.01) } : {}),
    ),
    'file.value-with-four-decimals Values are written with four decimals.': filesValue((value) => value.toFixed(4)),
    'file.value-with-six-decimals Values are written with six decimals.': filesValue((value) => value.toFixed(6)),
  }),
  ...rows('plugin.rule.value-double-precision', {
    'file.value-with-six-digits Values are written with six significant digits (%g).': () =>
      filesValue((value) => value.toPrecision(6)),
  }),
  ...rows(['plugin.persist.list', 'plugin.start.file-wins'], {
    'file.last-line-not-loaded The last rule of the file is not loaded.': loads((rules) => rules.slice(0, -1)),
  }),
  ...maskedRows(longLoginsRejected, 'plugin.persist.list', {
    'file.master-in-32-bits The master is written as an unsigned 32-bit integer.': filesIn32Bits('master'),
    'file.follower-in-32-bits The follower is written as an unsigned 32-bit integer.': filesIn32Bits('follower'),
    'file.logins-in-32-bits Master and follower are written as unsigned 32-bit integers.': () =>
      combine<Right>([filesIn32Bits('master'), filesIn32Bits('follower')]),
  }),
]
