import { correctsBody, rejectsBody } from '../../defect-parts/json-body.ts'
import { reject } from '../../defect-parts/reject.ts'
import { type Defect, rows } from './defect.ts'
import { knowing } from './known.ts'
import { readsNumeral, refuses } from './overrides.ts'

const twoValues = /(?<="value":[^,]+),"value":([^,}]+)/
const twoDirections = /"direction":"([^"]*)",(?="direction":)/

/** Clause 4.2: valid bodies that must be accepted. */
export const addAcceptedDefects: readonly Defect[] = [
  ...rows('plugin.add.documented-words', {
    'add.knows-only-multiplier': [
      'The mode mult is rejected; only multiplier is accepted.',
      refuses('mode', 'mult', 400, 'mode must be "multiplier" or "fixed".'),
    ],
    'add.knows-no-multiplier': [
      'The alias multiplier is rejected.',
      refuses('mode', 'multiplier', 400, 'mode must be "mult" or "fixed".'),
    ],
    'add.fixed-not-licensed': [
      'The mode fixed is rejected as not licensed.',
      refuses('mode', 'fixed', 403, 'Fixed lots are not licensed.'),
    ],
    'add.same-called-direct': [
      'The direction same is rejected; the server expects direct.',
      refuses('direction', 'same', 400, 'direction must be "direct" or "reverse".'),
    ],
    'add.reverse-called-inverse': [
      'The direction reverse is rejected; the server expects inverse.',
      refuses('direction', 'reverse', 400, 'direction must be "same" or "inverse".'),
    ],
  }),
  ...rows('plugin.list.mode-normalised', {
    'add.multiplier-becomes-fixed': [
      'Every mode except mult is stored as fixed, including the alias multiplier.',
      ({ readMode }) => ({ readMode: (value) => (readMode(value) && value === 'mult' ? 'mult' : 'fixed') }),
    ],
  }),
  ...rows('plugin.rule.as-sent', {
    'add.reverse-accepted-as-same': [
      'The direction reverse is accepted and stored as same.',
      ({ readDirection }) => ({ readDirection: (value) => readDirection(value) && 'same' }),
    ],
    'add.value-before-mode-lost': [
      'Reading the mode resets the value to 1, so a value before the mode is lost.',
      correctsBody((text) => text.replace(/("value"\s*:\s*)[^\s,]+(?=.*"mode")/s, '$11')),
    ],
  }),
  ...rows('plugin.add.any-json-spelling', {
    'add.members-in-one-order': [
      'The members of the body must be in the order from master to direction.',
      rejectsBody((text) => text.indexOf('"direction"') < text.indexOf('"value"')),
    ],
    'add.no-space-before-colon': ['White space before a colon is rejected.', rejectsBody((text) => /"\s+:/.test(text))],
    'add.escapes-taken-literally': [
      'The escape \\u0061 is not decoded.',
      correctsBody((text) => text.replaceAll('\\u', '\\\\u')),
    ],
    'add.exponent-cut-off': [
      'The exponent of a value is dropped: 15e-1 becomes 15.',
      readsNumeral((text) => text.replace(/e.*/i, '')),
    ],
    'add.numeral-must-not-end-in-zero': [
      'A value is accepted only in the spelling that the server itself writes.',
      readsNumeral((text) => (String(Number(text)) === text ? text : reject(400, 'value must be a number.'))),
    ],
  }),
  ...rows('plugin.rule.fields', {
    'add.first-of-two-values-checked': [
      'Of two fields value the first is checked and the last is stored, so a negative value is listed.',
      knowing(({ parseJson, fitValue }, known) => ({
        parseJson: (text) => parseJson(text.replace(twoValues, '')),
        fitValue: (value) => {
          const second = twoValues.exec(known.text)?.[1]
          return second === undefined ? fitValue(value) : Number(second)
        },
      })),
    ],
    'add.last-of-two-directions-checked': [
      'Of two fields direction the last is checked and the first is stored, so an undocumented one is listed.',
      knowing(({ parseJson, readDirection }, known) => ({
        parseJson: (text) => parseJson(text.replace(twoDirections, '')),
        // The type of the simulator knows the two documented directions alone.
        readDirection: (value) =>
          (readDirection(value) && (twoDirections.exec(known.text)?.[1] ?? value)) as ReturnType<typeof readDirection>,
      })),
    ],
  }),
]
