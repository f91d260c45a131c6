import { isLosslessNumber, LosslessNumber } from 'lossless-json'
import { correctsBody, rejectsBody } from '../../defect-parts/json-body.ts'
import { reject } from '../../defect-parts/reject.ts'
import type { Defect } from './defect.ts'
import { readsDirection, readsMode, readsValue } from './overrides.ts'

/** Clause 4.2: valid bodies that must be accepted. */
export const addAcceptedDefects: readonly Defect[] = [
  {
    id: 'add.knows-only-multiplier',
    breaks: ['plugin.add.documented-words'],
    summary: 'The mode mult is rejected; only multiplier is accepted.',
    override: readsMode((value) => (value === 'mult' ? reject(400, 'mode must be "multiplier" or "fixed".') : value)),
  },
  {
    id: 'add.knows-no-multiplier',
    breaks: ['plugin.add.documented-words'],
    summary: 'The alias multiplier is rejected.',
    override: readsMode((value) => (value === 'multiplier' ? reject(400, 'mode must be "mult" or "fixed".') : value)),
  },
  {
    id: 'add.multiplier-becomes-fixed',
    breaks: ['plugin.list.mode-normalised'],
    summary: 'Every mode except mult is stored as fixed, including the alias multiplier.',
    override: ({ readMode }) => ({ readMode: (value) => (readMode(value) && value === 'mult' ? 'mult' : 'fixed') }),
  },
  {
    id: 'add.fixed-not-licensed',
    breaks: ['plugin.add.documented-words'],
    summary: 'The mode fixed is rejected as not licensed.',
    override: readsMode((value) => (value === 'fixed' ? reject(403, 'Fixed lots are not licensed.') : value)),
  },
  {
    id: 'add.same-called-direct',
    breaks: ['plugin.add.documented-words'],
    summary: 'The direction same is rejected; the server expects direct.',
    override: readsDirection((value) =>
      value === 'same' ? reject(400, 'direction must be "direct" or "reverse".') : value,
    ),
  },
  {
    id: 'add.reverse-accepted-as-same',
    breaks: ['plugin.rule.as-sent'],
    summary: 'The direction reverse is accepted and stored as same.',
    override: ({ readDirection }) => ({ readDirection: (value) => readDirection(value) && 'same' }),
  },
  {
    id: 'add.reverse-called-inverse',
    breaks: ['plugin.add.documented-words'],
    summary: 'The direction reverse is rejected; the server expects inverse.',
    override: readsDirection((value) =>
      value === 'reverse' ? reject(400, 'direction must be "same" or "inverse".') : value,
    ),
  },
  {
    id: 'add.members-in-one-order',
    breaks: ['plugin.add.any-json-spelling'],
    summary: 'The members of the body must be in the order from master to direction.',
    override: rejectsBody((text) => text.indexOf('"direction"') < text.indexOf('"value"')),
  },
  {
    id: 'add.value-before-mode-lost',
    breaks: ['plugin.rule.as-sent'],
    summary: 'Reading the mode resets the value to 1, so a value before the mode is lost.',
    override: correctsBody((text) => text.replace(/("value"\s*:\s*)[^\s,]+(?=.*"mode")/s, '$11')),
  },
  {
    id: 'add.no-space-before-colon',
    breaks: ['plugin.add.any-json-spelling'],
    summary: 'White space before a colon is rejected.',
    override: rejectsBody((text) => /"\s+:/.test(text)),
  },
  {
    id: 'add.escapes-taken-literally',
    breaks: ['plugin.add.any-json-spelling'],
    summary: 'The escape \\u0061 is not decoded.',
    override: correctsBody((text) => text.replaceAll('\\u', '\\\\u')),
  },
  {
    id: 'add.exponent-cut-off',
    breaks: ['plugin.add.any-json-spelling'],
    summary: 'The exponent of a value is dropped: 15e-1 becomes 15.',
    override: readsValue((value) =>
      isLosslessNumber(value) ? new LosslessNumber(value.value.replace(/e.*/i, '')) : value,
    ),
  },
  {
    id: 'add.first-of-two-values-checked',
    breaks: ['plugin.rule.fields'],
    summary: 'Of two fields value the first is checked and the last is stored, so a negative value is listed.',
    override: ({ parseJson, fitValue }) => {
      let stored: number | undefined
      return {
        parseJson: (text) => {
          const [second, spelling] = /(?<="value":[^,]+),"value":([^,}]+)/.exec(text) ?? ['']
          stored = spelling === undefined ? undefined : Number(spelling)
          return parseJson(text.replace(second, ''))
        },
        fitValue: (value) => stored ?? fitValue(value),
      }
    },
  },
  {
    id: 'add.last-of-two-directions-checked',
    breaks: ['plugin.rule.fields'],
    summary: 'Of two fields direction the last is checked and the first is stored, so an undocumented one is listed.',
    override: ({ parseJson, readDirection }) => {
      let stored: string | undefined
      return {
        parseJson: (text) => {
          const [first, word] = /"direction":"([^"]*)",(?="direction":)/.exec(text) ?? ['']
          stored = word
          return parseJson(text.replace(first, ''))
        },
        // The type of the simulator knows the two documented directions alone.
        readDirection: (value) => (readDirection(value) && (stored ?? value)) as ReturnType<typeof readDirection>,
      }
    },
  },
  {
    id: 'add.numeral-must-not-end-in-zero',
    breaks: ['plugin.add.any-json-spelling'],
    summary: 'A value is accepted only in the spelling that the server itself writes.',
    override: readsValue((value) =>
      isLosslessNumber(value) && String(Number(value.value)) !== value.value
        ? reject(400, 'value must be a number.')
        : value,
    ),
  },
]
