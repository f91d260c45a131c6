import type { Rule } from '../model/rule.ts'
import type { Defect } from './defect.ts'
import { smallValuesRejected } from './masks.ts'
import { knowingLoadedRules } from './overrides.ts'

/** A server whose file holds something else of each rule than its memory. */
function filesEach(change: (rule: Rule) => Rule): Defect['override'] {
  return ({ encodeFile }) => ({ encodeFile: (rules) => encodeFile(rules.map(change)) })
}

const rejectedRule = { master: 7001n, follower: 7002n, mode: 'mult', value: 1, direction: 'same' } as const

/** Clause 4.3 rule 1: what the rules file holds. In memory all is right; a restart shows the difference. */
export const fileDefects: readonly Defect[] = [
  {
    id: 'file.value-to-two-decimals',
    breaks: ['plugin.persist.list'],
    summary: 'The file holds values with two decimals.',
    override: filesEach((rule) => ({
      ...rule,
      value: Math.round(rule.value * 100) / 100,
    })),
  },
  {
    id: 'file.value-with-comma',
    breaks: ['plugin.persist.list'],
    summary: 'Values are written with a decimal comma and read up to it.',
    override: filesEach((rule) => ({
      ...rule,
      value: Math.trunc(rule.value),
    })),
  },
  {
    id: 'file.value-with-six-digits',
    breaks: ['plugin.rule.value-double-precision'],
    summary: 'Values are written with six significant digits (%g).',
    override: filesEach((rule) => ({ ...rule, value: Number(rule.value.toPrecision(6)) })),
  },
  {
    id: 'file.value-with-six-decimals',
    breaks: ['plugin.persist.list'],
    summary: 'Values are written with six decimals (%f).',
    override: filesEach((rule) => ({
      ...rule,
      value: Number(rule.value.toFixed(6)),
    })),
  },
  {
    id: 'file.value-without-its-exponent',
    breaks: ['plugin.persist.list'],
    maskedBy: smallValuesRejected,
    summary: 'A value that is written with an exponent is read up to the e.',
    override: filesEach((rule) => ({ ...rule, value: Number(`${rule.value}`.split('e')[0]) })),
  },
  {
    id: 'file.of-one-rule-is-empty',
    breaks: ['plugin.persist.list'],
    summary: 'A file with one rule is loaded as an empty list.',
    override: ({ decodeFile }) => ({
      decodeFile: (bytes) => {
        const rules = decodeFile(bytes)
        return rules.length === 1 ? [] : rules
      },
    }),
  },
  ...(['master', 'follower'] as const).map(
    (login): Defect => ({
      id: `file.${login}-in-32-bits`,
      breaks: ['plugin.persist.list'],
      maskedBy: [{ answers: { 'plugin.login.above-31-bits': 'refused', 'plugin.login.above-53-bits': 'refused' } }],
      summary: `The ${login} is written as an unsigned 32-bit integer.`,
      override: filesEach((rule) => ({ ...rule, [login]: BigInt.asUintN(32, rule[login]) })),
    }),
  ),
  {
    id: 'file.master-as-double',
    breaks: ['plugin.persist.list'],
    maskedBy: [{ answers: { 'plugin.login.above-53-bits': 'refused' } }],
    summary: 'The master is written as a double.',
    override: filesEach((rule) => ({ ...rule, master: BigInt(Number(rule.master)) })),
  },
  {
    id: 'file.reverse-only-with-fixed',
    breaks: ['plugin.persist.list'],
    summary: 'The direction of rules with a factor is not saved and is same after a restart.',
    override: filesEach((rule) => (rule.mode === 'mult' ? { ...rule, direction: 'same' } : rule)),
  },
  {
    id: 'file.logins-swapped',
    breaks: ['plugin.persist.list'],
    summary: 'Master and follower are swapped when the file is read.',
    override: filesEach((rule) => ({ ...rule, master: rule.follower, follower: rule.master })),
  },
  {
    id: 'file.mode-as-it-was-sent',
    breaks: ['plugin.persist.list'],
    summary: 'The alias multiplier is saved as it was sent and read as fixed.',
    override: ({ readMode, addRule, encodeFile }) => {
      const aliased = new WeakSet<Rule>()
      let sentAlias = false
      return {
        readMode: (value) => {
          sentAlias = value === 'multiplier'
          return readMode(value)
        },
        addRule: (rules, rule) => {
          if (sentAlias) aliased.add(rule)
          return addRule(rules, rule)
        },
        encodeFile: (rules) => encodeFile(rules.map((rule) => (aliased.has(rule) ? { ...rule, mode: 'fixed' } : rule))),
      }
    },
  },
  {
    id: 'file.read-from-its-end',
    breaks: ['plugin.persist.list'],
    summary: 'Rules are loaded in reverse order.',
    override: ({ decodeFile }) => ({ decodeFile: (bytes) => decodeFile(bytes).toReversed() }),
  },
  {
    id: 'file.last-line-needs-another-behind-it',
    breaks: ['plugin.persist.list', 'plugin.start.file-wins'],
    summary: 'The last rule of the file is not loaded.',
    override: ({ decodeFile }) => ({ decodeFile: (bytes) => decodeFile(bytes).slice(0, -1) }),
  },
  {
    id: 'file.rejected-rule-too',
    breaks: ['plugin.persist.list'],
    summary: 'A rule that is rejected for its direction is saved with the next change.',
    override: ({ readDirection, encodeFile }) => {
      let isRejected = false
      return {
        readDirection: (value) => {
          isRejected ||= value === 'other'
          return readDirection(value)
        },
        encodeFile: (rules) => encodeFile(isRejected ? [...rules, rejectedRule] : rules),
      }
    },
  },
  {
    id: 'file.removal-from-the-middle-not-marked',
    breaks: ['plugin.persist.list'],
    summary: 'A rule that is removed from the middle of the list stays in the file.',
    override: ({ encodeFile, removeRule }) => {
      let marked: Rule | undefined
      return {
        removeRule: (rules, position) => {
          if (position > 0 && position < rules.length - 1) marked = rules[position]
          return removeRule(rules, position)
        },
        encodeFile: (rules) => encodeFile(marked === undefined ? rules : [...rules, marked]),
      }
    },
  },
  {
    id: 'file.appended-to-from-the-second-life-on',
    breaks: ['plugin.persist.list'],
    summary: 'After a restart, each save writes the loaded rules in front of the list again.',
    override: knowingLoadedRules(({ encodeFile }, loaded) => ({
      encodeFile: (rules) => encodeFile([...loaded().filter((rule) => !rules.includes(rule)), ...rules]),
    })),
  },
]
