import { type Changes, reject } from '../../defect-parts/wire.ts'
import type { Rule } from '../model/rule.ts'
import { type Defect, masked, rows } from './defect.ts'
import { countedFromOne } from './masks.ts'
import {
  addsTo,
  instead,
  leaves,
  listsRule,
  reads,
  readsNumeral,
  result,
  returnsAdded,
  stores,
  storesValue,
} from './overrides.ts'

/** A server that stores another login than it has read. */
const storesLogin = result('fitLogin')

/** A server that lists rules in another form if they were added through the API. Those of Copy_N are correct. */
const listsAdded = (changes: (rule: Rule) => Changes) =>
  listsRule((rule, _, { added }) => (added.has(rule) ? changes(rule) : {}))

const inUpperCase = ({ direction }: Rule) => ({ direction: direction.toUpperCase() })
const asLot = ({ mode }: Rule) => ({ mode: mode === 'fixed' ? 'lot' : mode })

/** Clause 2.3: the format of a listed rule, and how its fields change between POST and GET. */
export const ruleDefects: readonly Defect[] = [
  ...rows('plugin.rule.fields', {
    'rule.direction-omitted-when-same The direction is omitted when it is same.': () =>
      listsRule(({ direction }) => ({ direction: direction === 'same' ? undefined : direction })),
    'rule.index-zero-omitted The index 0 is omitted, as by serializers that drop zero values.': masked(countedFromOne)(
      listsRule((_, index) => ({ index: index === 0 ? undefined : index })),
    ),
    'rule.logins-as-string Logins are listed as strings.': () =>
      listsRule(({ master, follower }) => ({ master: String(master), follower: String(follower) })),
    'rule.index-as-string The index is listed as a string.': listsRule((_, index) => ({ index: String(index) })),
    'rule.mode-as-number The mode is listed as its enum number.': () =>
      listsRule(({ mode }) => ({ mode: mode === 'mult' ? 0 : 1 })),
    'rule.same-listed-as-null The direction same is listed as null.': () =>
      listsRule(({ direction }) => ({ direction: direction === 'same' ? null : direction })),
    'rule.added-direction-in-upper-case The direction of an added rule is listed in upper case.':
      listsAdded(inUpperCase),
    'rule.added-without-direction The direction of an added rule is not listed before the next start.': () =>
      listsAdded(() => ({ direction: undefined })),
    'rule.added-master-as-string The master of an added rule is listed as a string.': () =>
      listsAdded(({ master }) => ({ master: String(master) })),
    'rule.added-fixed-listed-as-lot The mode fixed of an added rule is listed as lot.': listsAdded(asLot),
    'rule.added-value-truncated-to-zero The value of an added rule is listed as 0 if it is below 1.': () =>
      listsAdded(({ value }) => ({ value: value < 1 ? 0 : value })),
  }),
  ...rows(['plugin.rule.fields', 'plugin.rule.as-sent'], {
    'rule.fixed-listed-as-lot The mode fixed is listed as lot.': listsRule(asLot),
    'rule.value-as-string The value is listed as a string.': listsRule(({ value }) => ({ value: String(value) })),
    'rule.value-listed-with-one-decimal The value is stored exactly but listed with one decimal, so a small lot is listed as 0.':
      listsRule(({ value }) => ({ value: Math.round(value * 10) / 10 })),
    'rule.direction-in-upper-case The direction is listed in upper case.': listsRule(inUpperCase),
  }),
  ...rows('plugin.rule.index-is-position', {
    'rule.second-index-omitted The index of the second rule is omitted.': () =>
      instead('ruleBody', ({ ruleBody, indexOf }, rule, index) =>
        ruleBody(rule, index === indexOf(0) ? index : index + 1),
      ),
  }),
  ...rows(['plugin.rule.as-sent', 'plugin.add.created'], {
    'rule.login-as-float Logins pass through a 32-bit float, which cannot hold nine digits.': () =>
      instead('fitLogin', (_, _field, login) => BigInt(Math.fround(Number(login)))),
  }),
  ...rows('plugin.rule.as-sent', {
    'rule.one-follower-per-master A second rule of a master is stored with the follower of its first rule.': () =>
      stores((rule, [rules]) => {
        const { follower } = rules.find(({ master }) => master === rule.master) ?? rule
        return { ...rule, follower }
      }),
    'rule.login-truncated-to-32-bits Logins are stored as signed 32-bit integers.': () =>
      instead('fitLogin', (_, _field, login) => BigInt.asIntN(32, login)),
    'rule.login-truncated-to-unsigned-32-bits Logins are stored as unsigned 32-bit integers.': () =>
      instead('fitLogin', (_, _field, login) => BigInt.asUintN(32, login)),
    'rule.login-as-double A login above 2^53 is stored as the nearest double.': masked({
      'plugin.login.above-53-bits': 'refused',
    })(storesLogin((login) => BigInt(Number(login)))),
    'rule.exponent-of-login-ignored The exponent of a login is ignored.': () =>
      readsNumeral((text) => text.replace(/e.*/i, ''), ['master', 'follower']),
    'rule.login-above-63-bits-is-negative A login from 2^63 to 2^64 is stored as a signed 64-bit integer.': masked({
      'plugin.login.above-53-bits': 'refused',
    })(storesLogin((login) => (login < 2n ** 64n ? BigInt.asIntN(64, login) : login))),
    'rule.login-of-20-digits-in-64-bits A login of 20 digits is stored in 64 bits, and a longer one is rejected.':
      instead('fitLogin', ({ fitLogin }, field, login) => {
        if (login >= 10n ** 20n) reject(400, 'The login is too long.')
        return login < 2n ** 64n ? fitLogin(field, login) : BigInt.asUintN(64, login)
      }),
    'add.response-logins-in-32-bits The response to a POST has the logins as signed 32-bit integers.': masked({
      'plugin.login.above-31-bits': 'refused',
      'plugin.login.above-53-bits': 'refused',
      'plugin.login.above-64-bits': 'refused',
    })(
      returnsAdded(({ master, follower }) => ({
        master: BigInt.asIntN(32, master),
        follower: BigInt.asIntN(32, follower),
      })),
    ),
    'rule.negative-login-stored-unsigned A negative follower is stored as an unsigned 32-bit integer.': (hooks) => ({
      judgeLoginSign: (field, login) => {
        if (login >= 0n || field === 'master') hooks.judgeLoginSign(field, login)
      },
      fitLogin: (field, login) =>
        field === 'follower' && login < 0n ? BigInt.asUintN(32, login) : hooks.fitLogin(field, login),
    }),
    'rule.escaped-mode-is-mult The mode fixed is stored as mult if a letter of it is escaped in the JSON.': () =>
      reads('mode', (value, _, { text }) => (value === 'fixed' && /"mode":"[^"]*\\u/.test(text) ? 'mult' : value)),
    'rule.value-truncated-to-12-characters Only the first 12 characters of a value are read.': () =>
      readsNumeral((text) => (text.startsWith('0.') ? text.slice(0, 12) : text)),
    'rule.value-rounded-to-five-digits The value is rounded to five significant digits.': () =>
      storesValue((value) => Number(value.toPrecision(5))),
    'rule.value-as-fixed-point The value is stored in steps of 1/65536, which is too coarse for small values.':
      storesValue((value) => Math.max(1, Math.round(value * 65_536)) / 65_536),
  }),
  ...rows('plugin.rule.as-sent', stores, {
    'rule.tiny-value-stored-as-zero A value below 0.0000001 is accepted and stored as 0.': (rule) =>
      rule.value < 1e-7 ? { ...rule, value: 0 } : rule,
    'rule.logins-sorted The smaller login of a pair becomes the master.': (rule) =>
      rule.master > rule.follower ? { ...rule, master: rule.follower, follower: rule.master } : rule,
    'rule.fixed-lot-of-one-stored-as-mult A fixed lot of exactly 1 is stored as a factor of 1.': (rule) =>
      rule.value === 1 ? { ...rule, mode: 'mult' } : rule,
    'rule.reverse-only-with-fixed The direction reverse is stored only for fixed lots; with a factor it becomes same.':
      (rule) => (rule.mode === 'mult' ? { ...rule, direction: 'same' } : rule),
    'rule.reverse-factor-at-most-100 A factor above 100 is stored as 100 if the direction is reverse.': (rule) =>
      rule.mode === 'mult' && rule.direction === 'reverse' ? { ...rule, value: Math.min(rule.value, 100) } : rule,
    'rule.fixed-value-rounded-to-two-decimals A fixed lot is rounded to two decimals, and is 0.01 at least.': (rule) =>
      rule.mode === 'fixed' ? { ...rule, value: Math.max(0.01, Math.round(rule.value * 100) / 100) } : rule,
  }),
  ...rows('plugin.rule.value-double-precision', {
    'rule.value-as-float The value is stored as a 32-bit float.': storesValue(Math.fround),
    'rule.value-as-float-with-mult-and-reverse The value of a rule with mult and reverse is listed as a 32-bit float.':
      listsRule(({ mode, direction, value }) =>
        mode === 'mult' && direction === 'reverse' ? { value: Math.fround(value) } : {},
      ),
  }),
  ...rows(['plugin.rule.as-sent', 'plugin.rule.value-double-precision'], {
    'rule.value-rounded-to-two-decimals The value is rounded to two decimals.': () =>
      storesValue((value) => Math.round(value * 100) / 100),
    'rule.large-value-as-integer A value from 10,000 on is stored without its fraction.': () =>
      storesValue((value) => (value < 10_000 ? value : Math.trunc(value))),
    'rule.value-listed-with-six-decimals The value is stored exactly but listed with six decimals (%f).': () =>
      listsRule(({ value }) => ({ value: Number(value.toFixed(6)) })),
  }),
  ...rows('plugin.rule.exists-until-removed', {
    'rule.lost-after-eight-more A rule disappears when eight more rules have been added.': () =>
      addsTo((rules, _, { added }) => rules.filter((rule) => ![...added].slice(0, -7).includes(rule))),
    'rule.removed-rule-restored-by-post A removed rule is only marked as removed, and the next POST clears the mark.':
      addsTo((rules, _, { change, removed }) => (change === 'remove-rule' ? [...rules, ...removed.slice(-1)] : rules)),
    'rule.removed-rule-restored-by-delete A DELETE works on a copy of the list from before the previous DELETE.':
      leaves((left, _, { removed }) => [...left, ...removed.slice(-2, -1)]),
  }),
  ...rows(['plugin.add.leaves-others', 'plugin.list.all-active'], {
    'rule.at-most-two-per-master The third rule of a master replaces the oldest one of that master.': () =>
      addsTo((rules, [, { master }]) => {
        const [oldest, another] = rules.filter((rule) => rule.master === master)
        return another === undefined ? rules : rules.filter((rule) => rule !== oldest)
      }),
  }),
]
