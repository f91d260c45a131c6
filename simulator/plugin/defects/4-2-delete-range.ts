import { reject } from '../../defect-parts/reject.ts'
import { type Defect, rows } from './defect.ts'
import { readsIndexLike } from './overrides.ts'

/** A server that reads an index into so many bits. It takes any other text for -1. */
function wrapsAt(bits: number): Defect['override'] {
  return () => ({ parseIndex: (text) => (/^\d+$/.test(text) ? Number(BigInt.asUintN(bits, BigInt(text))) : -1) })
}

const fails = () => reject(500, 'Internal server error.')

/** Clause 4.2 rule 4: DELETE with an integer that is not the index of a rule, and the digits of an index. */
export const deleteRangeDefects: readonly Defect[] = [
  ...rows('plugin.delete.index-past-end', {
    'delete.index-compared-with-less-or-equal': [
      'DELETE of the first index past the end returns 200.',
      () => ({ holdsPosition: (rules, position) => position <= rules.length }),
    ],
    'delete.index-past-end-is-the-last': [
      'DELETE of an index past the end removes the last rule.',
      ({ holdsPosition, removeRule }) => ({
        holdsPosition: (rules, position) => holdsPosition(rules, Math.min(position, rules.length - 1)),
        removeRule: (rules, position) => removeRule(rules, Math.min(position, rules.length - 1)),
      }),
    ],
    'delete.index-far-past-end-is-400': [
      'An index of six digits or more returns 400.',
      readsIndexLike(/^\d{6,}$/, () => reject(400, 'The index is too large.')),
    ],
    'delete.negative-index-counts-from-the-end': [
      'A negative index counts from the end.',
      ({ holdsPosition }) => ({
        parseIndex: (text) => (/^-?\d+$/.test(text) ? Number(text) : undefined),
        holdsPosition: (rules, position) => holdsPosition(rules, position < 0 ? rules.length + position : position),
      }),
    ],
    'delete.minus-one-is-confirmed': [
      'DELETE of the index -1 returns 200 and removes nothing.',
      ({ parseIndex, indexOf, holdsPosition, removeRule }) => ({
        parseIndex: (text) => (text === '-1' ? indexOf(-1) : parseIndex(text)),
        holdsPosition: (rules, position) => position === -1 || holdsPosition(rules, position),
        removeRule: (rules, position) => (position === -1 ? rules : removeRule(rules, position)),
      }),
    ],
    'delete.index-in-32-bits': ['The index overflows at 32 bits: 2^32 is 0.', wrapsAt(32)],
    'delete.index-in-64-bits': ['The index overflows at 64 bits: 2^64 is 0.', wrapsAt(64)],
    'delete.huge-index-is-500': ['An index beyond 64 bits returns 500.', readsIndexLike(/^\d{20,}$/, fails)],
    'delete.index-of-5000-digits-is-500': [
      'An index of more than 4300 digits returns 500, as by the limit of Python.',
      readsIndexLike(/^\d{4301,}$/, fails),
    ],
    'delete.repeated-is-confirmed': [
      'The bounds check uses the list before the last DELETE, so a repeated DELETE of the last index returns 200.',
      ({ holdsPosition, removeRule }) => {
        let length = 0
        return {
          holdsPosition: (rules, position) => position < length || holdsPosition(rules, position),
          removeRule: (rules, position) => {
            length = position < rules.length ? rules.length : 0
            return removeRule(rules, position)
          },
        }
      },
    ],
    'delete.empty-list-has-every-index': [
      'In an empty list every index is accepted, because the length minus one underflows.',
      () => ({ holdsPosition: (rules, position) => position <= (rules.length - 1) >>> 0 }),
    ],
    'delete.empty-list-is-500': [
      'DELETE in an empty list returns 500.',
      ({ holdsPosition }) => ({
        holdsPosition: (rules, position) => (rules.length === 0 ? fails() : holdsPosition(rules, position)),
      }),
    ],
    'delete.index-in-8-bits': [
      'The index overflows at 8 bits: 256 is 0.',
      readsIndexLike(/^\d+$/, (text) => Number(BigInt.asUintN(8, BigInt(text)))),
    ],
    'delete.last-nine-digits-count': [
      'Only the last nine digits of an index are read.',
      readsIndexLike(/^\d+$/, (text) => Number(BigInt(text) % 1_000_000_000n)),
    ],
  }),
  ...rows('plugin.delete.keeps-order', {
    'delete.one-digit-only': ['An index of two digits returns 404.', readsIndexLike(/^\d\d$/, () => undefined)],
  }),
]
