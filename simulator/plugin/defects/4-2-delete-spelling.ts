import { reject } from '../../defect-parts/reject.ts'
import { type Defect, rows } from './defect.ts'
import { countedFromOne } from './masks.ts'
import { readsIndex, readsIndexLike } from './overrides.ts'

/** Clause 4.2 rule 4: DELETE with a text that is no integer. */
export const deleteSpellingDefects: readonly Defect[] = [
  ...rows('plugin.delete.index-not-a-number', {
    'delete.text-is-index-zero': [
      'The index is read with atoi, so invalid text becomes 0.',
      () => ({ parseIndex: (text) => Number.parseInt(text, 10) || 0 }),
    ],
    'delete.nul-is-index-zero': [
      'An index that begins with NUL is read as 0.',
      readsIndexLike(/^\0/, () => 0),
      [...countedFromOne, { answers: { 'plugin.path.percent-encoding': 'literal' } }],
    ],
    'delete.index-as-a-boolean': [
      'The index is read as JSON, and false becomes 0.',
      readsIndexLike(/^false$/, () => 0),
      countedFromOne,
    ],
    'delete.index-in-quotes': [
      'An index in quotes is read without them.',
      readsIndex((text) => text.replace(/^"(.*)"$/, '$1')),
      [...countedFromOne, { answers: { 'plugin.path.percent-encoding': 'literal' } }],
    ],
    'delete.text-is-400': [
      'An index that is not an integer returns 400.',
      ({ parseIndex }) => ({
        parseIndex: (text) => parseIndex(text) ?? reject(400, 'The index must be an integer.'),
      }),
    ],
    'delete.index-with-fraction': [
      'A fractional index is rounded down.',
      readsIndexLike(/^\d+\.\d+$/, (text) => Math.floor(Number(text))),
    ],
    'delete.index-in-hexadecimal': [
      'A hexadecimal index is accepted: 0x2 is 2.',
      readsIndexLike(/^0x[0-9a-f]+$/i, Number),
    ],
    'delete.empty-index-is-zero': [
      'DELETE with an empty index removes the first rule.',
      (hooks) => readsIndexLike(/^$/, () => hooks.indexOf(0))(hooks),
    ],
    'delete.empty-index-is-400': [
      'DELETE with an empty index returns 400.',
      readsIndexLike(/^$/, () => reject(400, 'The index is missing.')),
    ],
    'delete.parameters-of-index-ignored': [
      'Text after a semicolon in the index is ignored.',
      readsIndex((text) => text.replace(/(?<=\d);.*$/, '')),
    ],
    'delete.index-with-suffix-of-a-literal': [
      'The suffix L is accepted after an index.',
      readsIndex((text) => text.replace(/(?<=\d)L$/, '')),
    ],
  }),
  ...rows('plugin.delete.index-spelling', {
    'delete.index-with-zero-in-octal': [
      'An index with a leading zero is read as an octal number: 010 removes the rule 8.',
      readsIndexLike(/^0[0-7]+$/, (text) => Number.parseInt(text, 8)),
    ],
    'delete.index-ends-at-underscore': [
      'An index is read up to an underscore: 1_0 removes the rule 1.',
      readsIndexLike(/^\d+_\d/, (text) => Number.parseInt(text, 10)),
    ],
  }),
]
