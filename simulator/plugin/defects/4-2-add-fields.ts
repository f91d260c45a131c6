import { isLosslessNumber, LosslessNumber } from 'lossless-json'
import { fail, reject } from '../../defect-parts/wire.ts'
import type { Members } from '../../server/json.ts'
import { directions, modes, type Rule } from '../model/rule.ts'
import { type Defect, masked, maskedRows, rows } from './defect.ts'
import type { Known, Mutation } from './known.ts'
import { pathQueriesRejected, selfCopyRejected, smallValuesRejected } from './masks.ts'
import { accepts, argument, type Fields, instead, reads, readsNumeral, result } from './overrides.ts'

/** A server that fills in a field that the body lacks. */
function fillsIn(field: keyof Rule, substitute: (members: Members) => unknown): Mutation {
  return instead('fieldOf', ({ fieldOf }, members, name) =>
    name === field && !Object.hasOwn(members, field) ? substitute(members) : fieldOf(members, name),
  )
}

/** A server that reads a field from other members than those of the body. */
const readsFrom = argument('fieldOf')

/** The members of the last request that had the field. */
function lastWith(field: keyof Rule, { sent }: Known): Members | undefined {
  return sent.findLast((members) => Object.hasOwn(members, field))
}

/** The first object among the members that has the field, or else the members themselves. */
function nested(members: Members, field: keyof Rule): Members {
  const isObject = (member: unknown): member is Members => member instanceof Object && !isLosslessNumber(member)
  const objects = Object.values(members).filter(isObject)
  return objects.find((member) => Object.hasOwn(member, field)) ?? members
}

/** A field of a rule as a request body holds it. */
const asSent = (value: unknown) => (typeof value === 'string' ? value : new LosslessNumber(String(value)))

const one = new LosslessNumber('1')

/** A server that transforms a word before it compares it. */
function readsWord(fields: Fields, change: (text: string) => string): Mutation {
  return reads(fields, (value) => (typeof value === 'string' ? change(value) : value))
}

/** A server that stores matching values as 0. */
function storesAsZero(isMeant: (value: unknown) => boolean): Mutation {
  return instead('readValue', ({ readValue }, value) => (isMeant(value) ? 0 : readValue(value)))
}

const numberOf = (value: unknown) => (isLosslessNumber(value) ? Number(value.value) : Number.NaN)

/** Clauses 2.3, 4.2 and 7: fields that are missing, of the wrong JSON type, or with a value that is not allowed. */
export const addFieldDefects: readonly Defect[] = [
  ...rows('plugin.add.value-not-positive', {
    'add.tiny-negative-value-accepted Negative values down to -1e-9 are accepted, as 1.': () =>
      readsNumeral((text) => (Number(text) < 0 && Number(text) > -1e-9 ? '1' : text)),
    'add.fixed-lot-not-validated Only a factor must be greater than 0; an invalid fixed lot becomes 0.01.': reads(
      'value',
      (value, { mode }) => (mode === 'fixed' && numberOf(value) <= 0 ? new LosslessNumber('0.01') : value),
    ),
  }),
  ...rows('plugin.add.unlisted-word', {
    'add.direction-is-same-with-multiplier With the mode multiplier every direction but reverse is same.': reads(
      'direction',
      (value, { mode }) => (mode === 'multiplier' && typeof value === 'string' && value !== 'reverse' ? 'same' : value),
    ),
    'add.mode-trimmed White space around the mode is accepted.': readsWord('mode', (text) => text.trim()),
    'add.words-end-at-nul Strings end at the first NUL, as in C.': () =>
      readsWord(['mode', 'direction'], (text) => text.replace(/\0.*$/s, '')),
    'add.words-compared-by-prefix Any string that begins with a valid mode or direction is accepted: reversed becomes reverse.':
      readsWord(
        ['mode', 'direction'],
        (text) => [...modes, ...directions].find((known) => text.startsWith(known)) ?? text,
      ),
    'add.mode-abbreviation-accepted The mode m is accepted as mult.': accepts('mode', 'm', 'mult'),
    'add.mode-synonyms-accepted The modes lot and fixed_lot are accepted as fixed.': () =>
      reads('mode', (value) => (value === 'lot' || value === 'fixed_lot' ? 'fixed' : value)),
    'add.opposite-accepted-as-reverse opposite is accepted as reverse.': accepts('direction', 'opposite', 'reverse'),
    'add.trailing-line-break-accepted A mode or direction with a line break at its end is accepted, as by $ in a pattern.':
      readsWord(['mode', 'direction'], (text) => text.replace(/\n$/, '')),
    'add.line-break-after-direction-accepted A direction with a line break at its end is accepted.': () =>
      readsWord('direction', (text) => text.replace(/\n$/, '')),
    'add.direction-right-trimmed White space after the direction is accepted.': () =>
      readsWord('direction', (text) => text.trimEnd()),
  }),
  ...maskedRows(selfCopyRejected, 'plugin.add.requires-every-field', {
    'add.missing-master-is-the-follower A missing master is the follower.': fillsIn('master', (sent) => sent.follower),
    'add.missing-follower-is-the-master A missing follower is the master.': fillsIn('follower', (sent) => sent.master),
  }),
  ...rows('plugin.add.requires-every-field', {
    'add.missing-mode-is-mult A missing mode becomes mult.': fillsIn('mode', () => 'mult'),
    'add.missing-value-is-one A missing value becomes 1.': fillsIn('value', () => new LosslessNumber('1')),
    'add.missing-direction-is-same A missing direction becomes same.': fillsIn('direction', () => 'same'),
    'add.missing-direction-is-same-with-multiplier With the mode multiplier a missing direction becomes same.': () =>
      fillsIn('direction', ({ mode }) => (mode === 'multiplier' ? 'same' : undefined)),
    'add.missing-field-from-query A missing field is taken from the query string.': masked(pathQueriesRejected)(
      instead('fieldOf', ({ fieldOf, splitTarget, known }, members, name) => {
        const text = new URLSearchParams(splitTarget(known.target).query).get(name)
        if (text === null || Object.hasOwn(members, name)) return fieldOf(members, name)
        return /^[\d.]+$/.test(text) ? new LosslessNumber(text) : text
      }),
    ),
    'add.missing-fields-from-last-rule A missing field gets the value of the last loaded rule.': () =>
      instead('fieldOf', ({ fieldOf, known }, members, name) => {
        const loaded = known.copied.at(-1)?.[name]
        const sent = lastWith(name, known)
        return sent === undefined && loaded !== undefined ? asSent(loaded) : fieldOf(sent ?? members, name)
      }),
    'add.missing-fields-from-earlier-request A missing field gets its value from an earlier request.': () =>
      readsFrom((members, [, name], known) => lastWith(name, known) ?? members),
    'add.missing-field-returns-422 A missing field returns 422.': instead('fieldOf', (_, members, field) =>
      Object.hasOwn(members, field) ? members[field] : reject(422, `${field} is missing.`),
    ),
    'add.missing-direction-returns-500 A missing direction returns 500, other missing fields return 400.': () =>
      fillsIn('direction', fail),
    'add.nested-fields-accepted A missing field is taken from a nested member.': masked({
      'plugin.body.unknown-member': 'refused',
    })(readsFrom((members, [, name]) => (Object.hasOwn(members, name) ? members : nested(members, name)))),
  }),
  ...rows('plugin.rule.as-sent', {
    'add.nested-fields-first A field of a nested member counts instead of the field of the rule.': masked({
      'plugin.body.unknown-member': 'refused',
    })(readsFrom((members, [, name]) => nested(members, name))),
  }),
  ...rows(['plugin.add.wrong-type', 'plugin.add.bad-request-is-400'], {
    'add.master-as-string A master in quotes is accepted if it consists of digits.': reads('master', (value) =>
      typeof value === 'string' && /^\d+$/.test(value) ? new LosslessNumber(value) : value,
    ),
    'add.mode-as-enumeration The modes 0 and 1 are accepted for mult and fixed.': () =>
      reads('mode', (value) => (isLosslessNumber(value) ? (value.value === '1' ? 'fixed' : 'mult') : value)),
    'add.value-as-string A value in quotes is accepted up to the first invalid character: "1,5" becomes 1.': reads(
      'value',
      (value) => (typeof value === 'string' ? new LosslessNumber(String(Number.parseFloat(value) || 0)) : value),
    ),
    'add.direction-as-flag A direction that is not a string is read as a flag: reverse if it is truthy.': () =>
      reads('direction', (value) => {
        if (value === true) return 'reverse'
        return isLosslessNumber(value) ? (Number(value.value) === 0 ? 'same' : 'reverse') : value
      }),
  }),
  ...rows('plugin.add.wrong-type', {
    'add.follower-from-true The follower true is accepted as login 1.': accepts('follower', true, one),
    'add.follower-from-array A follower in an array is accepted.': () =>
      reads('follower', (value) => (Array.isArray(value) ? value[0] : value)),
    'add.non-numeric-login-becomes-one A login that is not a number becomes 1.': () =>
      reads(['master', 'follower'], (value) => (isLosslessNumber(value) ? value : one)),
    'add.login-fraction-dropped The fraction of a login is dropped: 900000998.5 is stored as 900000998.': () =>
      result('loginNumeral')((numeral) => ({ ...numeral, isInteger: true, hasFraction: false })),
    'add.login-fraction-of-zeros-dropped A login with a fraction that begins with three zeros is rounded.':
      readsNumeral((text) => text.replace(/\.000+[1-9]$/, ''), ['master', 'follower']),
    'add.mode-from-array A mode in an array is accepted.': () =>
      reads('mode', (value) => (Array.isArray(value) ? String(value) : value)),
    'add.word-from-object A mode or direction as the name of a member that is null, like {"mult":null}, is accepted.':
      () =>
        reads(
          ['mode', 'direction'],
          (value) => Object.entries(value ?? {}).find(([, member]) => member === null)?.[0] ?? value,
        ),
    'add.value-from-true The value true is accepted as 1.': accepts('value', true, one),
    'add.direction-null-is-same The direction null is accepted as same.': accepts('direction', null, 'same'),
  }),
  ...rows('plugin.add.bad-request-is-400', {
    'add.null-returns-500 A mode or direction of null returns 500.': () =>
      reads(['mode', 'direction'], (value) => (value === null ? fail() : value)),
    'add.value-type-returns-422 A value of the wrong type returns 422, other fields of the wrong type return 400.':
      reads('value', (value) => (isLosslessNumber(value) ? value : reject(422, 'value must be a number.'))),
    'add.login-type-returns-500 A login of the wrong type fails only when the rule is saved, and returns 500.': reads(
      ['master', 'follower'],
      (value) => (isLosslessNumber(value) ? value : reject(500, 'The rule could not be saved.')),
    ),
    'add.value-zero-returns-422 The value 0 returns 422, a negative value returns 400.': () =>
      reads('value', (value) => (numberOf(value) === 0 ? reject(422, 'value must be greater than 0.') : value)),
    'add.empty-word-returns-500 An empty direction returns 500, another invalid one returns 400.': () =>
      reads('direction', (value) => (value === '' ? fail() : value)),
  }),
  ...maskedRows(smallValuesRejected, 'plugin.add.value-not-positive', {
    'add.negative-value-accepted-with-multiplier With the mode multiplier a negative value is accepted.': () =>
      instead('readValue', ({ readValue, known }, value) =>
        known.members.mode === 'multiplier' && numberOf(value) < 0 ? numberOf(value) : readValue(value),
      ),
    'add.value-zero-accepted The value 0 is accepted.': storesAsZero((value) => numberOf(value) === 0),
    'add.zero-matched-as-text Zero is rejected as 0 and 0.0, but accepted as -0 and 0e5.': () =>
      storesAsZero((value) => isLosslessNumber(value) && /^(-0|0e\d+)$/.test(value.value)),
  }),
  ...rows(['plugin.add.value-not-positive', 'plugin.add.bad-request-is-400'], {
    'add.value-sign-dropped The sign of a value is dropped.': readsNumeral((text) => text.replace('-', '')),
  }),
  ...rows(['plugin.add.unlisted-word', 'plugin.add.bad-request-is-400'], {
    'add.mode-case-insensitive The mode is case-insensitive.': readsWord('mode', (text) => text.toLowerCase()),
    'add.unlisted-mode-is-mult Every string except fixed is accepted as the mode mult.': () =>
      readsWord('mode', (text) => (text === 'fixed' ? 'fixed' : 'mult')),
    'add.unlisted-direction-is-same Every string except reverse is accepted as the direction same.': () =>
      readsWord('direction', (text) => (text === 'reverse' ? text : 'same')),
  }),
]
