import type { Defect } from './defect.ts'

/** A server that makes a smaller index out of a large one. */
function wraps(wrap: (index: bigint) => bigint): Defect['override'] {
  return ({ parseIndex }) => ({
    parseIndex: (text) => (/^\d+$/.test(text) ? Number(wrap(BigInt(text))) : parseIndex(text)),
  })
}

/** Clause 4.2: the digits of an index. */
export const deleteDigitDefects: readonly Defect[] = [
  {
    id: 'delete.index-in-8-bits',
    breaks: ['plugin.delete.index-too-large'],
    summary: 'The index overflows at 8 bits: 256 is 0.',
    override: wraps((index) => BigInt.asUintN(8, index)),
  },
  {
    id: 'delete.index-in-16-bits',
    breaks: ['plugin.delete.index-too-large'],
    summary: 'The index overflows at 16 bits: 65536 is 0.',
    override: wraps((index) => BigInt.asUintN(16, index)),
  },
  {
    id: 'delete.last-nine-digits-count',
    breaks: ['plugin.delete.index-too-large'],
    summary: 'Only the last nine digits of an index are read.',
    override: wraps((index) => index % 1_000_000_000n),
  },
  {
    id: 'delete.digits-of-any-script',
    breaks: ['plugin.delete.index-not-a-number'],
    summary: 'Unicode digits of any script are accepted in an index.',
    override: ({ parseIndex }) => ({
      // With or without percent-encoding resolved.
      parseIndex: (text) => parseIndex(text.replace(/\u0661|%D9%A1/gi, '1')),
    }),
  },
  {
    id: 'delete.underscores-between-digits',
    breaks: ['plugin.delete.index-with-trailing-text'],
    summary: 'Underscores between the digits of an index are ignored.',
    override: ({ parseIndex }) => ({
      parseIndex: (text) => (/^\d+_\d+$/.test(text) ? Number(text.replace('_', '')) : parseIndex(text)),
    }),
  },
  {
    id: 'delete.one-digit-only',
    breaks: ['plugin.delete.ok'],
    summary: 'An index of two digits returns 404.',
    override: ({ parseIndex }) => ({ parseIndex: (text) => (/^\d\d$/.test(text) ? undefined : parseIndex(text)) }),
  },
]
