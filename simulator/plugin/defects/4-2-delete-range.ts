import { reject } from '../../defect-parts/reject.ts'
import type { Defect } from './defect.ts'
import { readsIndexLike } from './overrides.ts'

/** A server that makes a smaller index out of a large one. It takes any other text for -1. */
function wraps(wrap: (index: bigint) => bigint): Defect['override'] {
  return () => ({ parseIndex: (text) => (/^\d+$/.test(text) ? Number(wrap(BigInt(text))) : -1) })
}

/** Clause 4.2 rule 4: DELETE with an integer that is not the index of a rule, and the digits of an index. */
export const deleteRangeDefects: readonly Defect[] = [
  {
    id: 'delete.index-compared-with-less-or-equal',
    breaks: ['plugin.delete.index-past-end'],
    summary: 'DELETE of the first index past the end returns 200.',
    override: () => ({ holdsPosition: (rules, position) => position <= rules.length }),
  },
  {
    id: 'delete.index-past-end-is-the-last',
    breaks: ['plugin.delete.index-past-end'],
    summary: 'DELETE of an index past the end removes the last rule.',
    override: ({ holdsPosition, removeRule }) => ({
      holdsPosition: (rules, position) => holdsPosition(rules, Math.min(position, rules.length - 1)),
      removeRule: (rules, position) => removeRule(rules, Math.min(position, rules.length - 1)),
    }),
  },
  {
    id: 'delete.index-far-past-end-is-400',
    breaks: ['plugin.delete.index-past-end'],
    summary: 'An index of six digits or more returns 400.',
    override: readsIndexLike(/^\d{6,}$/, () => reject(400, 'The index is too large.')),
  },
  {
    id: 'delete.negative-index-counts-from-the-end',
    breaks: ['plugin.delete.index-past-end'],
    summary: 'A negative index counts from the end.',
    override: ({ holdsPosition }) => ({
      parseIndex: (text) => (/^-?\d+$/.test(text) ? Number(text) : undefined),
      holdsPosition: (rules, position) => holdsPosition(rules, position < 0 ? rules.length + position : position),
    }),
  },
  {
    id: 'delete.minus-one-is-confirmed',
    breaks: ['plugin.delete.index-past-end'],
    summary: 'DELETE of the index -1 returns 200 and removes nothing.',
    override: ({ parseIndex, indexOf, holdsPosition, removeRule }) => ({
      parseIndex: (text) => (text === '-1' ? indexOf(-1) : parseIndex(text)),
      holdsPosition: (rules, position) => position === -1 || holdsPosition(rules, position),
      removeRule: (rules, position) => (position === -1 ? rules : removeRule(rules, position)),
    }),
  },
  {
    id: 'delete.index-in-32-bits',
    breaks: ['plugin.delete.index-past-end'],
    summary: 'The index overflows at 32 bits: 2^32 is 0.',
    override: wraps((index) => BigInt.asUintN(32, index)),
  },
  {
    id: 'delete.index-in-64-bits',
    breaks: ['plugin.delete.index-past-end'],
    summary: 'The index overflows at 64 bits: 2^64 is 0.',
    override: wraps((index) => BigInt.asUintN(64, index)),
  },
  {
    id: 'delete.huge-index-is-500',
    breaks: ['plugin.delete.index-past-end'],
    summary: 'An index beyond 64 bits returns 500.',
    override: readsIndexLike(/^\d{20,}$/, () => reject(500, 'Internal server error.')),
  },
  {
    id: 'delete.index-of-5000-digits-is-500',
    breaks: ['plugin.delete.index-past-end'],
    summary: 'An index of more than 4300 digits returns 500, as by the limit of Python.',
    override: readsIndexLike(/^\d{4301,}$/, () => reject(500, 'Internal server error.')),
  },
  {
    id: 'delete.repeated-is-confirmed',
    breaks: ['plugin.delete.index-past-end'],
    summary:
      'The bounds check uses the list before the last DELETE, so a repeated DELETE of the last index returns 200.',
    override: ({ holdsPosition, removeRule }) => {
      let length = 0
      return {
        holdsPosition: (rules, position) => position < length || holdsPosition(rules, position),
        removeRule: (rules, position) => {
          length = position < rules.length ? rules.length : 0
          return removeRule(rules, position)
        },
      }
    },
  },
  {
    id: 'delete.empty-list-has-every-index',
    breaks: ['plugin.delete.index-past-end'],
    summary: 'In an empty list every index is accepted, because the length minus one underflows.',
    override: () => ({ holdsPosition: (rules, position) => position <= (rules.length - 1) >>> 0 }),
  },
  {
    id: 'delete.empty-list-is-500',
    breaks: ['plugin.delete.index-past-end'],
    summary: 'DELETE in an empty list returns 500.',
    override: ({ holdsPosition }) => ({
      holdsPosition: (rules, position) =>
        rules.length === 0 ? reject(500, 'Internal server error.') : holdsPosition(rules, position),
    }),
  },
  {
    id: 'delete.index-in-8-bits',
    breaks: ['plugin.delete.index-past-end'],
    summary: 'The index overflows at 8 bits: 256 is 0.',
    override: readsIndexLike(/^\d+$/, (text) => Number(BigInt.asUintN(8, BigInt(text)))),
  },
  {
    id: 'delete.last-nine-digits-count',
    breaks: ['plugin.delete.index-past-end'],
    summary: 'Only the last nine digits of an index are read.',
    override: readsIndexLike(/^\d+$/, (text) => Number(BigInt(text) % 1_000_000_000n)),
  },
  {
    id: 'delete.one-digit-only',
    breaks: ['plugin.delete.keeps-order'],
    summary: 'An index of two digits returns 404.',
    override: readsIndexLike(/^\d\d$/, () => undefined),
  },
]
