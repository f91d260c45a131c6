import { fail, reject } from '../../defect-parts/wire.ts'
import type { Rule } from '../model/rule.ts'
import { arrayOf, removeAt } from '../model/rule-list.ts'
import { type Defect, masked, rows } from './defect.ts'
import type { Mutation } from './known.ts'
import { countedFromOne } from './masks.ts'
import { answers, holds, instead, leaves, readsIndex, readsIndexLike, result, returnsRemoved } from './overrides.ts'
import { whileIn } from './states.ts'

/** A server that truncates an index with this sign and at most this many digits to this many bits. */
function wrapsAt(bits: number, digits: number, sign: '' | '-' = ''): Mutation {
  const form = new RegExp(`^${sign}\\d{1,${digits}}$`)
  return readsIndexLike(form, (text) => Number(BigInt.asUintN(bits, BigInt(text))))
}

const unsuccessful = returnsRemoved(() => ({ success: false }))

/** Clause 4.2 rules 2 and 4: DELETE of an existing rule, and with an index that has no rule. */
export const deleteDefects: readonly Defect[] = [
  ...rows('plugin.delete.ok', {
    'delete.returns-204 DELETE returns 204 without a body.': () =>
      answers('DELETE', { status: 204, body: undefined, headers: {} }),
    'delete.returns-202 DELETE returns 202.': answers('DELETE', { status: 202 }),
    'delete.success-as-number success is the number of removed rules.': returnsRemoved(() => ({ success: 1 })),
  }),
  ...rows('plugin.success-is-true', {
    'delete.success-is-false DELETE removes the rule and returns success: false.': unsuccessful,
    'delete.last-success-is-false success is false in the response to a DELETE that removes the only rule of the list.':
      whileIn('single', unsuccessful),
  }),
  ...rows('plugin.delete.keeps-order', {
    'delete.removes-the-next DELETE removes the rule after the index, except at the last index.': () =>
      leaves((_, [rules, position]) => removeAt(rules, Math.min(position + 1, rules.length - 1))),
    'delete.last-removes-previous-too DELETE of the last rule also removes the one before it.': () =>
      leaves((left, [, position]) => (position === left.length ? left.slice(0, -1) : left)),
    'delete.first-of-two-removes-the-second DELETE of the first of two rules removes the second.': () =>
      leaves((left, [rules, position]) => (rules.length === 2 && position === 0 ? rules.slice(0, 1) : left)),
    'delete.second-of-two-removes-the-first DELETE of the second of two rules removes the first.': () =>
      leaves((left, [rules, position]) => (rules.length === 2 && position === 1 ? rules.slice(1) : left)),
    'delete.moves-last-into-gap DELETE moves the last rule into the removed position.': () =>
      leaves((left, [, position]) => left.slice(0, -1).toSpliced(position, 0, ...left.slice(-1))),
    'delete.moves-earlier-to-end DELETE moves the rules before the removed one to the end of the list.': () =>
      leaves((left, [, position]) => [...left.slice(position), ...left.slice(0, position)]),
    'delete.values-not-shifted DELETE shifts the rules, but not their values.': leaves((left, [rules]) =>
      left.map((rule, place) => ({ ...rule, value: arrayOf(rules)[place]?.value ?? rule.value })),
    ),
    'delete.inverts-next-direction DELETE inverts the direction of the rule that moves into the removed position.':
      leaves((left, [, position]) =>
        left.map((rule, place) =>
          place === position ? { ...rule, direction: rule.direction === 'same' ? 'reverse' : 'same' } : rule,
        ),
      ),
    'delete.after-404-does-nothing A DELETE directly after a 404 returns 200 and removes nothing.': () =>
      leaves((left, [rules], { status }) => (status === 404 ? rules : left)),
    'delete.two-digit-index-rejected An index of two digits returns 404.': readsIndexLike(/^\d\d$/, () => undefined),
  }),
  ...rows(['plugin.delete.keeps-order', 'plugin.sequence.list'], {
    'delete.reverses-later-rules DELETE reverses the order of the rules after the removed one.': () =>
      leaves((left, [, position]) => [...left.slice(0, position), ...left.slice(position).toReversed()]),
  }),
  ...rows(['plugin.rule.index-is-position', 'plugin.delete.keeps-order', 'plugin.sequence.list'], {
    'delete.indices-never-shift A rule keeps its index after a DELETE, which leaves a gap.': ({ addRule }) => {
      const seen: Rule[] = []
      const indexOf = (rule: Rule) => (seen.includes(rule) ? seen.indexOf(rule) : seen.push(rule) - 1)
      return {
        ruleBody: (rule) => ({ index: indexOf(rule), ...rule }),
        addRule: (rules, rule) => {
          rules.forEach(indexOf)
          indexOf(rule)
          return addRule(rules, rule)
        },
        reportedIndex: () => seen.length - 1,
        holdsPosition: (rules, position) => rules.some((rule) => indexOf(rule) === position),
        removeRule: (rules, position) => rules.filter((rule) => indexOf(rule) !== position),
      }
    },
  }),
  ...rows('plugin.delete.index-not-a-number', {
    'delete.text-is-index-zero The index is read with atoi, so invalid text becomes 0.': () =>
      instead('parseIndex', (_, text) => Number.parseInt(text, 10) || 0),
    'delete.nul-is-index-zero An index that begins with NUL is read as 0.': masked([
      ...countedFromOne,
      { answers: { 'plugin.path.percent-encoding': 'literal' } },
    ])(readsIndexLike(/^\0/, () => 0)),
    'delete.index-decoded-twice The index is percent-decoded twice, so %2530 becomes 0.': masked({
      'plugin.path.percent-encoding': 'literal',
    })(readsIndexLike(/^(%3\d)+$/, (text) => Number(decodeURIComponent(text)))),
    'delete.index-as-a-boolean The index is read as JSON, so false becomes 0 and true becomes 1.': () =>
      readsIndexLike(/^(false|true)$/, (text) => Number(text === 'true')),
    'delete.quoted-index-accepted An index in quotes is read without them.': masked([
      ...countedFromOne,
      { answers: { 'plugin.path.percent-encoding': 'literal' } },
    ])(readsIndex((text) => text.replace(/^"(.*)"$/, '$1'))),
    'delete.text-returns-400 An index that is not an integer returns 400.': () =>
      result('parseIndex')((index) => index ?? reject(400, 'The index must be an integer.')),
    'delete.fractional-index-rounded A fractional index is rounded down.': () =>
      readsIndexLike(/^\d+\.\d+$/, (text) => Math.floor(Number(text))),
    'delete.empty-index-read-as-zero DELETE with an empty index removes the first rule.': ({ indexOf }) =>
      readsIndexLike(/^$/, () => indexOf(0)),
    'delete.empty-index-returns-400 DELETE with an empty index returns 400.': () =>
      readsIndexLike(/^$/, () => reject(400, 'The index is missing.')),
    'delete.index-suffix-ignored An L after an index is ignored.': readsIndex((text) => text.replace(/(?<=\d)L$/, '')),
  }),
  ...rows('plugin.delete.index-spelling', {
    'delete.leading-zero-read-as-octal An index with a leading zero is read as an octal number: 010 removes the rule 8.':
      readsIndexLike(/^0[0-7]+$/, (text) => Number.parseInt(text, 8)),
    'delete.index-ends-at-underscore An index is read up to an underscore: 1_0 removes the rule 1.': () =>
      readsIndexLike(/^\d+_\d/, (text) => Number.parseInt(text, 10)),
    'delete.index-ends-at-x An index is read up to an x: 0xa removes the rule 0.': masked(countedFromOne)(
      readsIndexLike(/^0x/, () => 0),
    ),
    'delete.index-read-after-semicolon An index is read after a semicolon: 10;2 removes the rule 2.': () =>
      readsIndex((text) => text.replace(/^\d+;(?=\d)/, '')),
  }),
  ...rows('plugin.delete.index-past-end', {
    'delete.index-past-end-removes-last DELETE of an index past the end removes the last rule.': (hooks) => ({
      holdsPosition: (rules, position) => hooks.holdsPosition(rules, Math.min(position, rules.length - 1)),
      removeRule: (rules, position) => hooks.removeRule(rules, Math.min(position, rules.length - 1)),
    }),
    'delete.index-far-past-end-returns-400 An index of six digits or more returns 400.': () =>
      readsIndexLike(/^\d{6,}$/, () => reject(400, 'The index is too large.')),
    'delete.negative-index-counts-from-the-end A negative index counts from the end.': ({ holdsPosition }) => ({
      parseIndex: (text) => (/^-?\d+$/.test(text) ? Number(text) : undefined),
      holdsPosition: (rules, position) => holdsPosition(rules, position < 0 ? rules.length + position : position),
    }),
    'delete.minus-one-returns-200 DELETE of the index -1 returns 200 and removes nothing.': (hooks) => ({
      parseIndex: (text) => (text === '-1' ? hooks.indexOf(-1) : hooks.parseIndex(text)),
      holdsPosition: (rules, position) => position === -1 || hooks.holdsPosition(rules, position),
      removeRule: (rules, position) => (position === -1 ? rules : hooks.removeRule(rules, position)),
    }),
    'delete.index-before-the-first-removes-it DELETE of the index right before the first removes the first rule.': (
      hooks,
    ) => ({
      parseIndex: (text) => (text === '-1' ? -1 : hooks.parseIndex(text)),
      holdsPosition: (rules, position) => hooks.holdsPosition(rules, position === -1 ? 0 : position),
      removeRule: (rules, position) => hooks.removeRule(rules, position === -1 ? 0 : position),
    }),
    'delete.index-in-8-bits An index of at most 19 digits overflows at 8 bits: 256 is 0.': wrapsAt(8, 19),
    'delete.index-in-32-bits An index of at most 19 digits overflows at 32 bits: 2^32 is 0.': wrapsAt(32, 19),
    'delete.index-in-64-bits The index overflows at 64 bits: 2^64 is 0.': wrapsAt(64, 5000),
    'delete.negative-index-in-32-bits A negative index overflows at 32 bits, as by strtoul: 1 - 2^32 is 1.': () =>
      wrapsAt(32, 19, '-'),
    'delete.negative-index-in-64-bits A negative index overflows at 64 bits, as by strtoull: 1 - 2^64 is 1.': () =>
      wrapsAt(64, 5000, '-'),
    'delete.huge-index-returns-500 An index beyond 64 bits returns 500.': readsIndexLike(/^\d{20,}$/, fail),
    'delete.largest-signed-index-returns-500 The bounds check adds 1 to an index of 32 bits, so 2^31 - 1 passes it.':
      readsIndexLike(/^2147483647$/, fail),
    'delete.largest-index-in-32-bits-returns-500 The index 2^32 - 1 is read as -1 and passes the bounds check.':
      readsIndexLike(/^4294967295$/, fail),
    'delete.largest-signed-index-in-64-bits-returns-500 The bounds check adds 1 to an index of 64 bits, so 2^63 - 1 passes it.':
      readsIndexLike(/^9223372036854775807$/, fail),
    'delete.largest-index-in-64-bits-returns-500 The index 2^64 - 1 is read as -1 and passes the bounds check.':
      readsIndexLike(/^18446744073709551615$/, fail),
    'delete.index-of-5000-digits-returns-500 An index of more than 4300 digits returns 500, as by the limit of Python.':
      readsIndexLike(/^\d{4301,}$/, fail),
    'delete.index-truncated-to-nine-digits Only the last nine digits of an index are read.': () =>
      readsIndexLike(/^\d+$/, (text) => Number(BigInt(text) % 1_000_000_000n)),
  }),
  ...rows('plugin.delete.index-past-end', holds, {
    'delete.index-off-by-one DELETE of the first index past the end returns 200.': (_, [rules, position]) =>
      position <= rules.length,
    'delete.repeated-returns-200 The bounds check uses the list before the last DELETE, so a repeated DELETE of the last index returns 200.':
      (isHeld, [rules, position], { removal }) => isHeld || (removal?.rule !== undefined && position === rules.length),
    'delete.empty-list-accepts-every-index In an empty list every index is accepted, because the length minus one underflows.':
      (_, [rules, position]) => position <= (rules.length - 1) >>> 0,
    'delete.empty-list-returns-500 DELETE in an empty list returns 500.': (isHeld, [rules]) =>
      rules.length === 0 ? fail() : isHeld,
  }),
]
