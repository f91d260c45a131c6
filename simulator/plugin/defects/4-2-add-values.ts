import { isLosslessNumber, LosslessNumber } from 'lossless-json'
import { reject } from '../../defect-parts/reject.ts'
import { directions, modes } from '../model/rule.ts'
import { type Defect, rows } from './defect.ts'
import { smallValuesRejected } from './masks.ts'
import { accepts, type Fields, reads, readsNumeral, refuses } from './overrides.ts'

/** A server that changes a word before it compares it. */
function readsWord(fields: Fields, change: (text: string) => string): Defect['override'] {
  return reads(fields, (value) => (typeof value === 'string' ? change(value) : value))
}

/** A server that stores such a value as 0. */
function storesAsZero(isMeant: (value: unknown) => boolean): Defect['override'] {
  return ({ readValue }) => ({ readValue: (value) => (isMeant(value) ? 0 : readValue(value)) })
}

const numberOf = (value: unknown) => (isLosslessNumber(value) ? Number(value.value) : Number.NaN)

/** Clauses 2.3, 4.2 and 7: values, modes and directions that are not allowed. */
export const addValueDefects: readonly Defect[] = [
  ...rows('plugin.add.value-not-positive', {
    'add.value-zero-accepted': [
      'The value 0 is accepted.',
      storesAsZero((value) => numberOf(value) === 0),
      smallValuesRejected,
    ],
    'add.value-zero-known-by-its-text': [
      'Zero is rejected as 0 and 0.0, but accepted as -0 and 0e5.',
      storesAsZero((value) => isLosslessNumber(value) && /^(-0|0e\d+)$/.test(value.value)),
      smallValuesRejected,
    ],
    'add.value-negative-within-1e-12': [
      'Negative values down to -1e-12 are accepted, as 1.',
      readsNumeral((text) => (Number(text) < 0 && Number(text) > -1e-12 ? '1' : text)),
    ],
    'add.fixed-lot-not-looked-at': [
      'Only a factor must be greater than 0; an invalid fixed lot becomes 0.01.',
      reads('value', (value, { mode }) =>
        mode === 'fixed' && numberOf(value) <= 0 ? new LosslessNumber('0.01') : value,
      ),
    ],
  }),
  ...rows(['plugin.add.value-not-positive', 'plugin.add.bad-request-is-400'], {
    'add.value-without-its-sign': ['The sign of a value is dropped.', readsNumeral((text) => text.replace('-', ''))],
  }),
  ...rows('plugin.add.bad-request-is-400', {
    'add.value-zero-is-422': [
      'The value 0 returns 422, a negative value returns 400.',
      reads('value', (value) => (numberOf(value) === 0 ? reject(422, 'value must be greater than 0.') : value)),
    ],
    'add.empty-word-is-500': [
      'An empty direction returns 500, another invalid one returns 400.',
      refuses('direction', '', 500, 'Internal server error.'),
    ],
  }),
  ...rows(['plugin.add.unlisted-word', 'plugin.add.bad-request-is-400'], {
    'add.mode-in-any-case': ['The mode is case-insensitive.', readsWord('mode', (text) => text.toLowerCase())],
    'add.unlisted-mode-is-mult': [
      'Every string except fixed is accepted as the mode mult.',
      readsWord('mode', (text) => (text === 'fixed' ? 'fixed' : 'mult')),
    ],
    'add.unlisted-direction-is-same': [
      'Every string except reverse is accepted as the direction same.',
      readsWord('direction', (text) => (text === 'reverse' ? text : 'same')),
    ],
  }),
  ...rows('plugin.add.unlisted-word', {
    'add.mode-by-its-beginning': [
      'Only the first three letters of the mode are compared.',
      readsWord('mode', (text) => modes.find((mode) => mode.slice(0, 3) === text.slice(0, 3)) ?? text),
    ],
    'add.mode-trimmed': ['White space around the mode is accepted.', readsWord('mode', (text) => text.trim())],
    'add.words-end-at-nul': [
      'Strings end at the first NUL, as in C.',
      readsWord(['mode', 'direction'], (text) => text.replace(/\0.*$/s, '')),
    ],
    'add.direction-by-its-beginning': [
      'Any string that begins with a valid direction is accepted: reversed becomes reverse.',
      readsWord('direction', (text) => directions.find((known) => text.startsWith(known)) ?? text),
    ],
    'add.mode-by-its-first-letter': ['The mode m is accepted as mult.', accepts('mode', 'm', 'mult')],
    'add.mode-by-its-description': [
      'The modes lot and fixed_lot are accepted as fixed.',
      reads('mode', (value) => (value === 'lot' || value === 'fixed_lot' ? 'fixed' : value)),
    ],
    'add.opposite-is-reverse': [
      'The direction opposite is accepted as reverse.',
      accepts('direction', 'opposite', 'reverse'),
    ],
    'add.words-before-a-line-break': [
      'A mode or direction with a line break at its end is accepted, as by $ in a pattern.',
      readsWord(['mode', 'direction'], (text) => text.replace(/\n$/, '')),
    ],
    'add.direction-trimmed-at-its-end': [
      'White space after the direction is accepted.',
      readsWord('direction', (text) => text.trimEnd()),
    ],
  }),
]
