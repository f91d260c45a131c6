import { isLosslessNumber, LosslessNumber } from 'lossless-json'
import type { Rule } from '../model/rule.ts'
import type { Defect } from './defect.ts'
import { readsValue, stores } from './overrides.ts'

/** Clause 2.3: what becomes of the fields of a rule between POST and GET. */
export const storedRuleDefects: readonly Defect[] = [
  {
    id: 'rule.login-as-float',
    breaks: ['plugin.rule.as-sent', 'plugin.add.created'],
    summary: 'Logins pass through a 32-bit float, which cannot hold nine digits.',
    override: () => ({ fitLogin: (_, login) => BigInt(Math.fround(Number(login))) }),
  },
  {
    id: 'rule.login-cut-to-32-bits',
    breaks: ['plugin.rule.as-sent'],
    summary: 'Logins are stored as signed 32-bit integers.',
    override: () => ({ fitLogin: (_, login) => BigInt.asIntN(32, login) }),
  },
  {
    id: 'rule.login-as-double',
    breaks: ['plugin.rule.as-sent'],
    maskedBy: [{ answers: { 'plugin.login.above-53-bits': 'refused' } }],
    summary: 'A login above 2^53 is stored as the nearest double.',
    override: ({ fitLogin }) => ({ fitLogin: (field, login) => BigInt(Number(fitLogin(field, login))) }),
  },
  {
    id: 'rule.next-to-nothing-is-nothing',
    breaks: ['plugin.rule.as-sent'],
    summary: 'A value below 0.0000001 is accepted and stored as 0.',
    override: stores((rule) => (rule.value < 1e-7 ? { ...rule, value: 0 } : rule)),
  },
  {
    id: 'rule.negative-login-without-its-sign',
    breaks: ['plugin.rule.as-sent'],
    summary: 'A negative follower is stored as an unsigned 32-bit integer.',
    override: ({ judgeLoginSign, fitLogin }) => ({
      judgeLoginSign: (field, login) => {
        if (login >= 0n || field === 'master') judgeLoginSign(field, login)
      },
      fitLogin: (field, login) =>
        field === 'follower' && login < 0n ? BigInt.asUintN(32, login) : fitLogin(field, login),
    }),
  },
  {
    id: 'rule.logins-swapped-when-master-is-greater',
    breaks: ['plugin.rule.as-sent'],
    summary: 'The smaller login of a pair becomes the master.',
    override: stores((rule) =>
      rule.master > rule.follower ? { ...rule, master: rule.follower, follower: rule.master } : rule,
    ),
  },
  {
    id: 'rule.one-follower-for-each-master',
    breaks: ['plugin.rule.as-sent'],
    summary: 'A second rule of a master is stored with the follower of its first rule.',
    override: stores((rule, rules) => {
      const known = rules.find(({ master }) => master === rule.master)
      return { ...rule, follower: known?.follower ?? rule.follower }
    }),
  },
  {
    id: 'rule.fixed-one-becomes-mult',
    breaks: ['plugin.rule.as-sent'],
    summary: 'A fixed lot of exactly 1 is stored as a factor of 1.',
    override: stores((rule) => (rule.value === 1 ? { ...rule, mode: 'mult' } : rule)),
  },
  {
    id: 'rule.escaped-mode-is-mult',
    breaks: ['plugin.rule.as-sent'],
    summary: 'The mode fixed is stored as mult if a letter of it is escaped in the JSON.',
    override: ({ parseJson, readMode }) => {
      let isEscaped = false
      return {
        parseJson: (text) => {
          isEscaped = /"mode":"[^"]*\\u/.test(text)
          return parseJson(text)
        },
        readMode: (value) => readMode(isEscaped && value === 'fixed' ? 'mult' : value),
      }
    },
  },
  {
    id: 'rule.mult-is-never-reverse',
    breaks: ['plugin.rule.as-sent'],
    summary: 'The direction reverse is stored only for fixed lots; with a factor it becomes same.',
    override: stores((rule) => (rule.mode === 'mult' ? { ...rule, direction: 'same' } : rule)),
  },
  {
    id: 'rule.value-as-float',
    breaks: ['plugin.rule.value-double-precision'],
    summary: 'The value is stored as a 32-bit float.',
    override: () => ({ fitValue: Math.fround }),
  },
  {
    id: 'rule.value-to-two-decimals',
    breaks: ['plugin.rule.as-sent', 'plugin.rule.value-double-precision'],
    summary: 'The value is rounded to two decimals.',
    override: () => ({ fitValue: (value) => Math.round(value * 100) / 100 }),
  },
  {
    id: 'rule.value-text-cut-at-12-characters',
    breaks: ['plugin.rule.as-sent'],
    summary: 'Only the first 12 characters of a value are read.',
    override: readsValue((value) =>
      isLosslessNumber(value) && value.value.startsWith('0.') ? new LosslessNumber(value.value.slice(0, 12)) : value,
    ),
  },
  {
    id: 'rule.value-text-cut-at-16-characters',
    breaks: ['plugin.rule.as-sent'],
    summary: 'Only the first 16 characters of a value are read, so the exponent of a long number is lost.',
    override: readsValue((value) => (isLosslessNumber(value) ? new LosslessNumber(value.value.slice(0, 16)) : value)),
  },
  {
    id: 'rule.value-to-five-digits',
    breaks: ['plugin.rule.as-sent'],
    summary: 'The value is rounded to five significant digits.',
    override: () => ({ fitValue: (value) => Number(value.toPrecision(5)) }),
  },
  {
    id: 'rule.value-as-fixed-point',
    breaks: ['plugin.rule.as-sent'],
    summary: 'The value is stored in steps of 1/65536, which is too coarse for small values.',
    override: () => ({ fitValue: (value) => Math.max(1, Math.round(value * 65_536)) / 65_536 }),
  },
  {
    id: 'rule.forgotten-after-eight-others',
    breaks: ['plugin.rule.exists-until-removed'],
    summary: 'A rule disappears when eight more rules have been added.',
    override: ({ addRule }) => {
      const addedAs = new WeakMap<Rule, number>()
      let additions = 0
      return {
        addRule: (rules, rule) => {
          additions++
          addedAs.set(rule, additions)
          const recent = rules.filter((known) => additions - (addedAs.get(known) ?? additions) < 8)
          return addRule(recent, rule)
        },
      }
    },
  },
  {
    id: 'rule.two-for-each-master',
    breaks: ['plugin.add.leaves-others', 'plugin.list.all-active'],
    summary: 'The third rule of a master replaces the oldest one of that master.',
    override: ({ addRule }) => ({
      addRule: (rules, rule) => {
        const ofMaster = rules.filter(({ master }) => master === rule.master)
        return addRule(ofMaster.length < 2 ? rules : rules.filter((known) => known !== ofMaster[0]), rule)
      },
    }),
  },
  {
    id: 'rule.removed-returns-with-next-addition',
    breaks: ['plugin.rule.exists-until-removed'],
    summary: 'A removed rule is only marked as removed, and the next POST clears the mark.',
    override: ({ addRule, removeRule }) => {
      let marked: Rule | undefined
      return {
        removeRule: (rules, position) => {
          marked = rules[position]
          return removeRule(rules, position)
        },
        addRule: (rules, rule) => {
          const returned = marked === undefined ? rules : [...rules, marked]
          marked = undefined
          return addRule(returned, rule)
        },
      }
    },
  },
  {
    id: 'rule.removed-returns-with-next-removal',
    breaks: ['plugin.rule.exists-until-removed'],
    summary: 'A DELETE works on a copy of the list from before the previous DELETE.',
    override: ({ removeRule }) => {
      let marked: Rule | undefined
      return {
        removeRule: (rules, position) => {
          const left = removeRule(rules, position)
          const returned = marked === undefined ? left : [...left, marked]
          marked = rules[position]
          return returned
        },
      }
    },
  },
]
