import { isLosslessNumber, LosslessNumber } from 'lossless-json'
import { reject } from '../../defect-parts/reject.ts'
import type { Defect } from './defect.ts'

/** Clause 4.2: valid bodies that must be accepted. */
export const addAcceptedDefects: readonly Defect[] = [
  {
    id: 'add.knows-only-multiplier',
    breaks: ['plugin.add.mode-mult'],
    summary: 'The mode is called multiplier, and the short name mult is rejected.',
    override: ({ readMode }) => ({
      readMode: (value) => (value === 'mult' ? reject(400, 'mode must be "multiplier" or "fixed".') : readMode(value)),
    }),
  },
  {
    id: 'add.knows-no-multiplier',
    breaks: ['plugin.add.mode-multiplier'],
    summary: 'The alias multiplier is unknown.',
    override: ({ readMode }) => ({
      readMode: (value) => (value === 'multiplier' ? reject(400, 'mode must be "mult" or "fixed".') : readMode(value)),
    }),
  },
  {
    id: 'add.multiplier-becomes-fixed',
    breaks: ['plugin.add.mode-multiplier', 'plugin.list.mode-normalised'],
    summary: 'Every mode other than mult is stored as fixed, including the alias multiplier.',
    override: ({ readMode }) => ({ readMode: (value) => (readMode(value) && value === 'mult' ? 'mult' : 'fixed') }),
  },
  {
    id: 'add.fixed-not-licensed',
    breaks: ['plugin.add.mode-fixed'],
    summary: 'Mode fixed is rejected as not covered by the licence.',
    override: ({ readMode }) => ({
      readMode: (value) => (value === 'fixed' ? reject(403, 'Fixed lots are not licensed.') : readMode(value)),
    }),
  },
  {
    id: 'add.same-called-direct',
    breaks: ['plugin.add.direction-same'],
    summary: 'Direction same is rejected, because the server calls it direct.',
    override: ({ readDirection }) => ({
      readDirection: (value) =>
        value === 'same' ? reject(400, 'direction must be "direct" or "reverse".') : readDirection(value),
    }),
  },
  {
    id: 'add.reverse-accepted-as-same',
    breaks: ['plugin.add.direction-reverse', 'plugin.rule.keeps-direction'],
    summary: 'Direction reverse is accepted but stored as same.',
    override: ({ readDirection }) => ({ readDirection: (value) => readDirection(value) && 'same' }),
  },
  {
    id: 'add.reverse-called-inverse',
    breaks: ['plugin.add.direction-reverse'],
    summary: 'Direction reverse is rejected, because the server calls it inverse.',
    override: ({ readDirection }) => ({
      readDirection: (value) =>
        value === 'reverse' ? reject(400, 'direction must be "same" or "inverse".') : readDirection(value),
    }),
  },
  {
    id: 'add.members-in-one-order',
    breaks: ['plugin.add.any-json-spelling'],
    summary: 'The body is searched from master to direction, and each field must follow the previous one.',
    override: ({ parseJson }) => ({
      parseJson: (text) =>
        text.indexOf('"direction"') < text.indexOf('"value"') ? reject(400, 'Invalid JSON.') : parseJson(text),
    }),
  },
  {
    id: 'add.no-space-before-colon',
    breaks: ['plugin.add.any-json-spelling'],
    summary: 'A field name must be followed directly by its colon.',
    override: ({ parseJson }) => ({
      parseJson: (text) => (/"\s+:/.test(text) ? reject(400, 'Invalid JSON.') : parseJson(text)),
    }),
  },
  {
    id: 'add.escapes-taken-literally',
    breaks: ['plugin.add.any-json-spelling'],
    summary: 'The escape \\u0061 is not decoded.',
    override: ({ parseJson }) => ({ parseJson: (text) => parseJson(text.replaceAll('\\u', '\\\\u')) }),
  },
  {
    id: 'add.exponent-cut-off',
    breaks: ['plugin.add.any-json-spelling'],
    summary: 'The exponent of a value is ignored: 15e-1 becomes 15.',
    override: ({ readValue }) => ({
      readValue: (value) =>
        readValue(isLosslessNumber(value) ? new LosslessNumber(value.value.replace(/e.*/i, '')) : value),
    }),
  },
  {
    id: 'add.numeral-must-not-end-in-zero',
    breaks: ['plugin.add.any-json-spelling'],
    summary: 'A value is accepted only in the notation that the server itself would write.',
    override: ({ readValue }) => ({
      readValue: (value) =>
        isLosslessNumber(value) && String(Number(value.value)) !== value.value
          ? reject(400, 'value must be a number.')
          : readValue(value),
    }),
  },
]
