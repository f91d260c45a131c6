import { reject } from '../../defect-parts/reject.ts'
import type { Defect } from './defect.ts'
import { countedFromOne } from './masks.ts'

/** Clause 4.2 rule 4: DELETE with a text that is no integer. */
export const deleteSpellingDefects: readonly Defect[] = [
  {
    id: 'delete.text-is-index-zero',
    breaks: ['plugin.delete.index-not-a-number', 'plugin.delete.index-with-trailing-text'],
    maskedBy: [{ answers: { 'plugin.index.base': '1' }, from: ['plugin.delete.index-not-a-number'] }],
    summary: 'The index is parsed with atoi, which stops at the first other character and returns 0 for text.',
    override: () => ({ parseIndex: (text) => Number.parseInt(text, 10) || 0 }),
  },
  {
    id: 'delete.nul-is-index-zero',
    breaks: ['plugin.delete.index-not-a-number'],
    maskedBy: [...countedFromOne, { answers: { 'plugin.path.percent-encoding': 'literal' } }],
    summary: 'An index that starts with NUL is an empty C string and is parsed as 0.',
    override: ({ parseIndex }) => ({ parseIndex: (text) => (text.startsWith('\0') ? 0 : parseIndex(text)) }),
  },
  {
    id: 'delete.text-is-400',
    breaks: ['plugin.delete.index-not-a-number', 'plugin.delete.index-with-trailing-text'],
    summary: 'An index that is not an integer returns 400.',
    override: ({ parseIndex }) => ({
      parseIndex: (text) => parseIndex(text) ?? reject(400, 'The index must be an integer.'),
    }),
  },
  {
    id: 'delete.index-with-fraction',
    breaks: ['plugin.delete.index-with-trailing-text'],
    summary: 'The index is parsed as any number and rounded down.',
    override: ({ parseIndex }) => ({
      parseIndex: (text) => (/^\d+\.\d+$/.test(text) ? Math.floor(Number(text)) : parseIndex(text)),
    }),
  },
  {
    id: 'delete.index-in-hexadecimal',
    breaks: ['plugin.delete.index-with-trailing-text'],
    summary: 'The base of an index is inferred from its prefix: 0x2 is 2.',
    override: ({ parseIndex }) => ({
      parseIndex: (text) => (/^0x[0-9a-f]+$/i.test(text) ? Number(text) : parseIndex(text)),
    }),
  },
  {
    id: 'delete.empty-index-is-zero',
    breaks: ['plugin.delete.index-empty'],
    summary: 'An empty index removes the first rule.',
    override: ({ parseIndex, indexOf }) => ({ parseIndex: (text) => (text === '' ? indexOf(0) : parseIndex(text)) }),
  },
  {
    id: 'delete.empty-index-is-405',
    breaks: ['plugin.delete.index-empty'],
    summary: 'DELETE /api/rules/ is treated as DELETE /api/rules and returns 405.',
    override: ({ parseIndex, methodNotAllowed }) => ({
      parseIndex: (text) => {
        if (text === '') throw methodNotAllowed(['GET', 'POST'])
        return parseIndex(text)
      },
    }),
  },
  {
    id: 'delete.parameters-of-index-ignored',
    breaks: ['plugin.delete.index-with-trailing-text'],
    summary: 'Text after a semicolon is treated as a path parameter and ignored.',
    override: ({ parseIndex }) => ({ parseIndex: (text) => parseIndex(text.replace(/(?<=\d);.*$/, '')) }),
  },
  {
    id: 'delete.index-with-suffix-of-a-literal',
    breaks: ['plugin.delete.index-with-trailing-text'],
    summary: 'The letter L after an index is accepted, as in a C literal.',
    override: ({ parseIndex }) => ({ parseIndex: (text) => parseIndex(text.replace(/(?<=\d)L$/, '')) }),
  },
]
