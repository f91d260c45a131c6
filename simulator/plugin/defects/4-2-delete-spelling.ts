import { reject } from '../../defect-parts/reject.ts'
import type { Defect } from './defect.ts'
import { countedFromOne } from './masks.ts'
import { readsIndex, readsIndexLike } from './overrides.ts'

/** Clause 4.2 rule 4: DELETE with a text that is no integer. */
export const deleteSpellingDefects: readonly Defect[] = [
  {
    id: 'delete.text-is-index-zero',
    breaks: ['plugin.delete.index-not-a-number'],
    summary: 'The index is read with atoi, so invalid text becomes 0.',
    override: () => ({ parseIndex: (text) => Number.parseInt(text, 10) || 0 }),
  },
  {
    id: 'delete.nul-is-index-zero',
    breaks: ['plugin.delete.index-not-a-number'],
    maskedBy: [...countedFromOne, { answers: { 'plugin.path.percent-encoding': 'literal' } }],
    summary: 'An index that begins with NUL is read as 0.',
    override: readsIndexLike(/^\0/, () => 0),
  },
  {
    id: 'delete.index-as-a-boolean',
    breaks: ['plugin.delete.index-not-a-number'],
    maskedBy: countedFromOne,
    summary: 'The index is read as JSON, and false becomes 0.',
    override: readsIndexLike(/^false$/, () => 0),
  },
  {
    id: 'delete.index-in-quotes',
    breaks: ['plugin.delete.index-not-a-number'],
    maskedBy: [...countedFromOne, { answers: { 'plugin.path.percent-encoding': 'literal' } }],
    summary: 'An index in quotes is read without them.',
    override: readsIndex((text) => text.replace(/^"(.*)"$/, '$1')),
  },
  {
    id: 'delete.text-is-400',
    breaks: ['plugin.delete.index-not-a-number'],
    summary: 'An index that is not an integer returns 400.',
    override: ({ parseIndex }) => ({
      parseIndex: (text) => parseIndex(text) ?? reject(400, 'The index must be an integer.'),
    }),
  },
  {
    id: 'delete.index-with-fraction',
    breaks: ['plugin.delete.index-not-a-number'],
    summary: 'A fractional index is rounded down.',
    override: readsIndexLike(/^\d+\.\d+$/, (text) => Math.floor(Number(text))),
  },
  {
    id: 'delete.index-in-hexadecimal',
    breaks: ['plugin.delete.index-not-a-number'],
    summary: 'A hexadecimal index is accepted: 0x2 is 2.',
    override: readsIndexLike(/^0x[0-9a-f]+$/i, Number),
  },
  {
    id: 'delete.empty-index-is-zero',
    breaks: ['plugin.delete.index-not-a-number'],
    summary: 'DELETE with an empty index removes the first rule.',
    override: (hooks) => readsIndexLike(/^$/, () => hooks.indexOf(0))(hooks),
  },
  {
    id: 'delete.empty-index-is-400',
    breaks: ['plugin.delete.index-not-a-number'],
    summary: 'DELETE with an empty index returns 400.',
    override: readsIndexLike(/^$/, () => reject(400, 'The index is missing.')),
  },
  {
    id: 'delete.index-with-zero-in-octal',
    breaks: ['plugin.delete.index-spelling'],
    summary: 'An index with a leading zero is read as an octal number: 010 removes the rule 8.',
    override: readsIndexLike(/^0[0-7]+$/, (text) => Number.parseInt(text, 8)),
  },
  {
    id: 'delete.index-ends-at-underscore',
    breaks: ['plugin.delete.index-spelling'],
    summary: 'An index is read up to an underscore: 1_0 removes the rule 1.',
    override: readsIndexLike(/^\d+_\d/, (text) => Number.parseInt(text, 10)),
  },
  {
    id: 'delete.parameters-of-index-ignored',
    breaks: ['plugin.delete.index-not-a-number'],
    summary: 'Text after a semicolon in the index is ignored.',
    override: readsIndex((text) => text.replace(/(?<=\d);.*$/, '')),
  },
  {
    id: 'delete.index-with-suffix-of-a-literal',
    breaks: ['plugin.delete.index-not-a-number'],
    summary: 'The suffix L is accepted after an index.',
    override: readsIndex((text) => text.replace(/(?<=\d)L$/, '')),
  },
]
