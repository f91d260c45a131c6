import { isLosslessNumber, LosslessNumber } from 'lossless-json'
import { reject } from '../../defect-parts/reject.ts'
import type { Defect } from './defect.ts'

/** Clause 4.2: valid bodies that must be accepted. */
export const addAcceptedDefects: readonly Defect[] = [
  {
    id: 'add.knows-only-multiplier',
    breaks: ['plugin.add.mode-mult'],
    summary: 'The mode mult is rejected; only multiplier is accepted.',
    override: ({ readMode }) => ({
      readMode: (value) => (value === 'mult' ? reject(400, 'mode must be "multiplier" or "fixed".') : readMode(value)),
    }),
  },
  {
    id: 'add.knows-no-multiplier',
    breaks: ['plugin.add.mode-multiplier'],
    summary: 'The alias multiplier is rejected.',
    override: ({ readMode }) => ({
      readMode: (value) => (value === 'multiplier' ? reject(400, 'mode must be "mult" or "fixed".') : readMode(value)),
    }),
  },
  {
    id: 'add.multiplier-becomes-fixed',
    breaks: ['plugin.add.mode-multiplier', 'plugin.list.mode-normalised'],
    summary: 'Every mode except mult is stored as fixed, including the alias multiplier.',
    override: ({ readMode }) => ({ readMode: (value) => (readMode(value) && value === 'mult' ? 'mult' : 'fixed') }),
  },
  {
    id: 'add.fixed-not-licensed',
    breaks: ['plugin.add.mode-fixed'],
    summary: 'The mode fixed is rejected as not licensed.',
    override: ({ readMode }) => ({
      readMode: (value) => (value === 'fixed' ? reject(403, 'Fixed lots are not licensed.') : readMode(value)),
    }),
  },
  {
    id: 'add.same-called-direct',
    breaks: ['plugin.add.direction-same'],
    summary: 'The direction same is rejected; the server expects direct.',
    override: ({ readDirection }) => ({
      readDirection: (value) =>
        value === 'same' ? reject(400, 'direction must be "direct" or "reverse".') : readDirection(value),
    }),
  },
  {
    id: 'add.reverse-accepted-as-same',
    breaks: ['plugin.add.direction-reverse', 'plugin.rule.keeps-direction'],
    summary: 'The direction reverse is accepted and stored as same.',
    override: ({ readDirection }) => ({ readDirection: (value) => readDirection(value) && 'same' }),
  },
  {
    id: 'add.reverse-called-inverse',
    breaks: ['plugin.add.direction-reverse'],
    summary: 'The direction reverse is rejected; the server expects inverse.',
    override: ({ readDirection }) => ({
      readDirection: (value) =>
        value === 'reverse' ? reject(400, 'direction must be "same" or "inverse".') : readDirection(value),
    }),
  },
  {
    id: 'add.members-in-one-order',
    breaks: ['plugin.add.any-json-spelling'],
    summary: 'The members of the body must be in the order from master to direction.',
    override: ({ parseJson }) => ({
      parseJson: (text) =>
        text.indexOf('"direction"') < text.indexOf('"value"') ? reject(400, 'Invalid JSON.') : parseJson(text),
    }),
  },
  {
    id: 'add.no-space-before-colon',
    breaks: ['plugin.add.any-json-spelling'],
    summary: 'White space before a colon is rejected.',
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
    summary: 'The exponent of a value is dropped: 15e-1 becomes 15.',
    override: ({ readValue }) => ({
      readValue: (value) =>
        readValue(isLosslessNumber(value) ? new LosslessNumber(value.value.replace(/e.*/i, '')) : value),
    }),
  },
  {
    id: 'add.numeral-must-not-end-in-zero',
    breaks: ['plugin.add.any-json-spelling'],
    summary: 'A value is accepted only in the spelling that the server itself writes.',
    override: ({ readValue }) => ({
      readValue: (value) =>
        isLosslessNumber(value) && String(Number(value.value)) !== value.value
          ? reject(400, 'value must be a number.')
          : readValue(value),
    }),
  },
]
