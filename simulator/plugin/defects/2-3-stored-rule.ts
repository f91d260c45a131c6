import { type Defect, rows } from './defect.ts'
import { given, knowing } from './known.ts'
import { addsTo, leaves, readsNumeral, stores } from './overrides.ts'

/** Clause 2.3: what becomes of the fields of a rule between POST and GET. */
export const storedRuleDefects: readonly Defect[] = [
  ...rows(['plugin.rule.as-sent', 'plugin.add.created'], {
    'rule.login-as-float': [
      'Logins pass through a 32-bit float, which cannot hold nine digits.',
      () => ({ fitLogin: (_, login) => BigInt(Math.fround(Number(login))) }),
    ],
  }),
  ...rows('plugin.rule.as-sent', {
    'rule.login-cut-to-32-bits': [
      'Logins are stored as signed 32-bit integers.',
      () => ({ fitLogin: (_, login) => BigInt.asIntN(32, login) }),
    ],
    'rule.login-as-double': [
      'A login above 2^53 is stored as the nearest double.',
      ({ fitLogin }) => ({ fitLogin: (field, login) => BigInt(Number(fitLogin(field, login))) }),
      [{ answers: { 'plugin.login.above-53-bits': 'refused' } }],
    ],
    'rule.next-to-nothing-is-nothing': [
      'A value below 0.0000001 is accepted and stored as 0.',
      stores((rule) => (rule.value < 1e-7 ? { ...rule, value: 0 } : rule)),
    ],
    'rule.negative-login-without-its-sign': [
      'A negative follower is stored as an unsigned 32-bit integer.',
      ({ judgeLoginSign, fitLogin }) => ({
        judgeLoginSign: (field, login) => {
          if (login >= 0n || field === 'master') judgeLoginSign(field, login)
        },
        fitLogin: (field, login) =>
          field === 'follower' && login < 0n ? BigInt.asUintN(32, login) : fitLogin(field, login),
      }),
    ],
    'rule.logins-swapped-when-master-is-greater': [
      'The smaller login of a pair becomes the master.',
      stores((rule) =>
        rule.master > rule.follower ? { ...rule, master: rule.follower, follower: rule.master } : rule,
      ),
    ],
    'rule.one-follower-for-each-master': [
      'A second rule of a master is stored with the follower of its first rule.',
      stores((rule, rules) => {
        const { follower } = rules.find(({ master }) => master === rule.master) ?? rule
        return { ...rule, follower }
      }),
    ],
    'rule.fixed-one-becomes-mult': [
      'A fixed lot of exactly 1 is stored as a factor of 1.',
      stores((rule) => (rule.value === 1 ? { ...rule, mode: 'mult' } : rule)),
    ],
    'rule.escaped-mode-is-mult': [
      'The mode fixed is stored as mult if a letter of it is escaped in the JSON.',
      knowing(({ readMode }, known) => ({
        readMode: (value) => readMode(value === 'fixed' && /"mode":"[^"]*\\u/.test(known.text) ? 'mult' : value),
      })),
    ],
    'rule.mult-is-never-reverse': [
      'The direction reverse is stored only for fixed lots; with a factor it becomes same.',
      stores((rule) => (rule.mode === 'mult' ? { ...rule, direction: 'same' } : rule)),
    ],
    'rule.value-text-cut-at-12-characters': [
      'Only the first 12 characters of a value are read.',
      readsNumeral((text) => (text.startsWith('0.') ? text.slice(0, 12) : text)),
    ],
    'rule.value-to-five-digits': [
      'The value is rounded to five significant digits.',
      () => ({ fitValue: (value) => Number(value.toPrecision(5)) }),
    ],
    'rule.value-as-fixed-point': [
      'The value is stored in steps of 1/65536, which is too coarse for small values.',
      () => ({ fitValue: (value) => Math.max(1, Math.round(value * 65_536)) / 65_536 }),
    ],
  }),
  ...rows('plugin.rule.value-double-precision', {
    'rule.value-as-float': ['The value is stored as a 32-bit float.', () => ({ fitValue: Math.fround })],
  }),
  ...rows(['plugin.rule.as-sent', 'plugin.rule.value-double-precision'], {
    'rule.value-to-two-decimals': [
      'The value is rounded to two decimals.',
      () => ({ fitValue: (value) => Math.round(value * 100) / 100 }),
    ],
  }),
  ...rows('plugin.rule.exists-until-removed', {
    'rule.forgotten-after-eight-others': [
      'A rule disappears when eight more rules have been added.',
      given((known) =>
        addsTo((rules) => {
          const forgotten = [...known.added].slice(0, -7)
          return rules.filter((rule) => !forgotten.includes(rule))
        }),
      ),
    ],
    'rule.removed-returns-with-next-addition': [
      'A removed rule is only marked as removed, and the next POST clears the mark.',
      given((known) =>
        addsTo((rules) => (known.change === 'remove-rule' ? [...rules, ...known.removed.slice(-1)] : rules)),
      ),
    ],
    'rule.removed-returns-with-next-removal': [
      'A DELETE works on a copy of the list from before the previous DELETE.',
      given((known) => leaves((left) => [...left, ...known.removed.slice(-2, -1)])),
    ],
  }),
  ...rows(['plugin.add.leaves-others', 'plugin.list.all-active'], {
    'rule.two-for-each-master': [
      'The third rule of a master replaces the oldest one of that master.',
      addsTo((rules, { master }) => {
        const ofMaster = rules.filter((rule) => rule.master === master)
        return ofMaster.length < 2 ? rules : rules.filter((rule) => rule !== ofMaster[0])
      }),
    ],
  }),
]
