import { isLosslessNumber, LosslessNumber } from 'lossless-json'
import { reject } from '../../defect-parts/reject.ts'
import { directions, modes } from '../model/rule.ts'
import type { Defect } from './defect.ts'
import { smallValuesRejected } from './masks.ts'
import { readsDirection, readsMode, readsValue } from './overrides.ts'

/** Changes a string before it is compared; keeps any other value. */
function asText(change: (text: string) => string): (value: unknown) => unknown {
  return (value) => (typeof value === 'string' ? change(value) : value)
}

const cutAtNul = (text: string) => `${text.split('\0')[0]}`
const numberOf = (value: unknown) => (isLosslessNumber(value) ? Number(value.value) : Number.NaN)

/** Clauses 2.3, 4.2 and 7: values, modes and directions that are not allowed. */
export const addValueDefects: readonly Defect[] = [
  {
    id: 'add.value-zero-accepted',
    breaks: ['plugin.add.value-not-positive'],
    maskedBy: smallValuesRejected,
    summary: 'The value 0 is accepted.',
    override: ({ readValue }) => ({ readValue: (value) => (numberOf(value) === 0 ? 0 : readValue(value)) }),
  },
  {
    id: 'add.value-zero-known-by-its-text',
    breaks: ['plugin.add.value-not-positive'],
    maskedBy: smallValuesRejected,
    summary: 'Zero is rejected as 0 and 0.0, but accepted as -0 and 0e5.',
    override: ({ readValue }) => ({
      readValue: (value) => (isLosslessNumber(value) && /^(-0|0e\d+)$/.test(value.value) ? 0 : readValue(value)),
    }),
  },
  {
    id: 'add.value-without-its-sign',
    breaks: ['plugin.add.value-not-positive', 'plugin.add.bad-request-is-400'],
    summary: 'The sign of a value is dropped.',
    override: readsValue((value) =>
      isLosslessNumber(value) ? new LosslessNumber(value.value.replace('-', '')) : value,
    ),
  },
  {
    id: 'add.value-negative-within-1e-12',
    breaks: ['plugin.add.value-not-positive'],
    summary: 'Negative values down to -1e-12 are accepted, as 1.',
    override: ({ readValue }) => ({
      readValue: (value) => (numberOf(value) < 0 && numberOf(value) > -1e-12 ? 1 : readValue(value)),
    }),
  },
  {
    id: 'add.value-zero-is-422',
    breaks: ['plugin.add.bad-request-is-400'],
    summary: 'The value 0 returns 422, a negative value returns 400.',
    override: readsValue((value) => (numberOf(value) === 0 ? reject(422, 'value must be greater than 0.') : value)),
  },
  {
    id: 'add.mode-in-any-case',
    breaks: ['plugin.add.unlisted-word', 'plugin.add.bad-request-is-400'],
    summary: 'The mode is case-insensitive.',
    override: readsMode(asText((text) => text.toLowerCase())),
  },
  {
    id: 'add.mode-by-its-beginning',
    breaks: ['plugin.add.unlisted-word'],
    summary: 'Only the first three letters of the mode are compared.',
    override: readsMode(asText((text) => modes.find((mode) => mode.slice(0, 3) === text.slice(0, 3)) ?? text)),
  },
  {
    id: 'add.mode-trimmed',
    breaks: ['plugin.add.unlisted-word'],
    summary: 'White space around the mode is accepted.',
    override: readsMode(asText((text) => text.trim())),
  },
  {
    id: 'add.words-end-at-nul',
    breaks: ['plugin.add.unlisted-word'],
    summary: 'Strings end at the first NUL, as in C.',
    override: (hooks) => ({ ...readsMode(asText(cutAtNul))(hooks), ...readsDirection(asText(cutAtNul))(hooks) }),
  },
  {
    id: 'add.unlisted-mode-is-mult',
    breaks: ['plugin.add.unlisted-word', 'plugin.add.bad-request-is-400'],
    summary: 'Every string except fixed is accepted as the mode mult.',
    override: readsMode(asText((text) => (text === 'fixed' ? 'fixed' : 'mult'))),
  },
  {
    id: 'add.direction-by-its-beginning',
    breaks: ['plugin.add.unlisted-word'],
    summary: 'Any string that begins with a valid direction is accepted: reversed becomes reverse.',
    override: readsDirection(asText((text) => directions.find((known) => text.startsWith(known)) ?? text)),
  },
  {
    id: 'add.unlisted-direction-is-same',
    breaks: ['plugin.add.unlisted-word', 'plugin.add.bad-request-is-400'],
    summary: 'Every string except reverse is accepted as the direction same.',
    override: readsDirection(asText((text) => (text === 'reverse' ? text : 'same'))),
  },
  {
    id: 'add.empty-word-is-500',
    breaks: ['plugin.add.bad-request-is-400'],
    summary: 'An empty direction returns 500, another invalid one returns 400.',
    override: readsDirection((value) => (value === '' ? reject(500, 'Internal server error.') : value)),
  },
  {
    id: 'add.fixed-lot-not-looked-at',
    breaks: ['plugin.add.value-not-positive'],
    summary: 'Only a factor must be greater than 0; an invalid fixed lot becomes 0.01.',
    override: ({ fieldOf }) => ({
      fieldOf: (members, name) => {
        const field = fieldOf(members, name)
        return name === 'value' && members.mode === 'fixed' && numberOf(field) <= 0 ? new LosslessNumber('0.01') : field
      },
    }),
  },
  {
    id: 'add.mode-by-its-first-letter',
    breaks: ['plugin.add.unlisted-word'],
    summary: 'The mode m is accepted as mult.',
    override: readsMode((value) => (value === 'm' ? 'mult' : value)),
  },
  {
    id: 'add.mode-by-its-description',
    breaks: ['plugin.add.unlisted-word'],
    summary: 'The modes lot and fixed_lot are accepted as fixed.',
    override: readsMode((value) => (value === 'lot' || value === 'fixed_lot' ? 'fixed' : value)),
  },
  {
    id: 'add.opposite-is-reverse',
    breaks: ['plugin.add.unlisted-word'],
    summary: 'The direction opposite is accepted as reverse.',
    override: readsDirection((value) => (value === 'opposite' ? 'reverse' : value)),
  },
  {
    id: 'add.words-before-a-line-break',
    breaks: ['plugin.add.unlisted-word'],
    summary: 'A mode or direction with a line break at its end is accepted, as by $ in a pattern.',
    override: (hooks) => ({
      ...readsMode(asText((text) => text.replace(/\n$/, '')))(hooks),
      ...readsDirection(asText((text) => text.replace(/\n$/, '')))(hooks),
    }),
  },
  {
    id: 'add.direction-trimmed-at-its-end',
    breaks: ['plugin.add.unlisted-word'],
    summary: 'White space after the direction is accepted.',
    override: readsDirection(asText((text) => text.trimEnd())),
  },
]
