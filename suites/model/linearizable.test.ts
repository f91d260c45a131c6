import fc, { type Arbitrary, array, boolean, constant, integer, property, record } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isLinearizable, type Operation, type SequentialModel } from './linearizable.ts'

/** A register: the simplest object that can be read and written. */
interface Access extends Operation {
  readonly write?: number
  readonly read?: number
}

const register: SequentialModel<number, Access> = {
  key: String,
  step: (state, { write, read, answeredAt }) => {
    if (write !== undefined) return [write]
    return read === state || answeredAt === Number.POSITIVE_INFINITY ? [state] : []
  },
}

const open = Number.POSITIVE_INFINITY
const write = (value: number, sentAt: number, answeredAt: number): Access => ({ write: value, sentAt, answeredAt })
const read = (value: number, sentAt: number, answeredAt: number): Access => ({ read: value, sentAt, answeredAt })

describe.for<{ what: string; history: readonly Access[]; holds: boolean }>([
  { what: 'nothing at all', history: [], holds: true },
  { what: 'a read of what is there', history: [read(0, 1, 2)], holds: true },
  { what: 'a read of a value that was never written', history: [read(7, 1, 2)], holds: false },
  { what: 'a read after a write', history: [write(1, 1, 2), read(1, 3, 4)], holds: true },
  { what: 'a stale read after a write', history: [write(1, 1, 2), read(0, 3, 4)], holds: false },
  { what: 'an old value read while it is overwritten', history: [write(1, 1, 4), read(0, 2, 3)], holds: true },
  { what: 'a new value read before its write is answered', history: [write(1, 1, 4), read(1, 2, 3)], holds: true },
  {
    what: 'a value that is read, and then the one before it, while it is written',
    history: [write(1, 1, 9), read(1, 2, 3), read(0, 4, 5)],
    holds: false,
  },
  {
    what: 'two writes at once, seen in either order by one reader',
    history: [write(1, 1, 5), write(2, 1, 5), read(2, 6, 7)],
    holds: true,
  },
  {
    what: 'two writes at once, seen in one order by one reader and in the other by another',
    history: [write(1, 1, 9), write(2, 1, 9), read(1, 2, 3), read(2, 4, 5), read(2, 2, 3), read(1, 4, 5)],
    holds: false,
  },
  {
    what: 'a read that was sent before the write was, and sees it',
    history: [read(1, 1, 4), write(1, 2, 3)],
    holds: true,
  },
  {
    what: 'a read that was answered before the write was sent, and sees it',
    history: [read(1, 1, 2), write(1, 3, 4)],
    holds: false,
  },
  { what: 'an unanswered write that was seen', history: [write(1, 1, open), read(1, 8, 9)], holds: true },
  { what: 'an unanswered write that was never seen', history: [write(1, 1, open), read(0, 8, 9)], holds: true },
  {
    what: 'an unanswered write that is seen late, after it was not',
    history: [write(1, 1, open), read(0, 2, 3), read(1, 8, 9)],
    holds: true,
  },
  {
    what: 'an unanswered write that was seen and then taken back',
    history: [write(1, 1, open), read(1, 2, 3), read(0, 8, 9)],
    holds: false,
  },
  {
    what: 'an unanswered write that is seen before it was sent',
    history: [read(1, 1, 2), write(1, 3, open)],
    holds: false,
  },
])('$what', ({ history, holds }) => {
  test(`is ${holds ? '' : 'not '}linearizable`, () => {
    expect(isLinearizable(history, 0, register)).toBe(holds)
  })
})

test('a later read may see every possible final state of the history, and no other', () => {
  const history = [write(1, 1, 5), write(2, 1, 5), write(3, 2, open)]
  const seen = [0, 1, 2, 3].filter((value) => isLinearizable([...history, read(value, 6, 7)], 0, register))
  expect(seen).toEqual([1, 2, 3])
})

test('a history of many concurrent requests is decided without trying every order', () => {
  const writes = Array.from({ length: 14 }, (_, value) => write(value % 3, 1, 100))
  expect(isLinearizable([...writes, read(9, 101, 102)], 0, register)).toBe(false)
})

/** A list of numbers that shifts as rules do: the effect of a call depends on all earlier ones. */
interface ListCall extends Operation {
  readonly push?: number
  readonly removeAt?: number
  readonly seen?: string
}
const list: SequentialModel<readonly number[], ListCall> = {
  key: String,
  step: (state, { push, removeAt, seen }) => {
    if (push !== undefined) return [[...state, push]]
    if (removeAt !== undefined) return removeAt < state.length ? [state.toSpliced(removeAt, 1)] : []
    return seen === String(state) ? [state] : []
  },
}

type Intent = { readonly kind: number; readonly value: number; readonly before: number; readonly after: number }

const intents: Arbitrary<readonly Intent[]> = array(
  record({
    kind: integer({ min: 0, max: 2 }),
    value: integer({ min: 0, max: 3 }),
    before: integer({ min: 0, max: 30 }),
    after: integer({ min: 0, max: 30 }),
  }),
  { maxLength: 12 },
)

/**
 * The history of intents that take effect one after the other, with random request and response times around each
 * effect.
 */
function sequentialHistory(wanted: readonly Intent[]): readonly ListCall[] {
  let state: readonly number[] = []
  return wanted.map(({ kind, value, before, after }, at) => {
    const times = { sentAt: at * 10 - before, answeredAt: at * 10 + after }
    if (kind === 0) {
      state = [...state, at]
      return { push: at, ...times }
    }
    if (kind === 1 && state.length > 0) {
      const removeAt = value % state.length
      state = state.toSpliced(removeAt, 1)
      return { removeAt, ...times }
    }
    return { seen: String(state), ...times }
  })
}

test('calls that take effect one after the other are linearizable, whatever the request and response times', () => {
  fc.assert(property(intents, (wanted) => isLinearizable(sequentialHistory(wanted), [], list)))
})

test('a lost response does not make a history contradictory', () => {
  const holds = property(intents, array(boolean(), { minLength: 12, maxLength: 12 }), (wanted, lost) => {
    const history = sequentialHistory(wanted).map((call, at) =>
      lost[at] === true && call.seen === undefined ? { ...call, answeredAt: open } : call,
    )
    return isLinearizable(history, [], list)
  })
  fc.assert(holds)
})

/** Tries all orders of all choices of operations without a response: slow, but obviously correct. */
function holdsForSomeOrder(left: readonly Access[], state: number): boolean {
  if (left.every(({ answeredAt }) => answeredAt === open)) return true
  return left.some((first) => {
    const rest = left.filter((access) => access !== first)
    if (rest.some(({ answeredAt }) => answeredAt < first.sentAt)) return false
    return register.step(state, first).some((next) => holdsForSomeOrder(rest, next))
  })
}

test('for small histories the result is the same as trying every order', () => {
  const access: Arbitrary<Access> = record({
    isWrite: boolean(),
    value: integer({ min: 0, max: 2 }),
    sentAt: integer({ min: 0, max: 12 }),
    lengthOf: integer({ min: 1, max: 8 }),
    isOpen: integer({ min: 0, max: 5 }).map((n) => n === 0),
  }).map(({ isWrite, value, sentAt, lengthOf, isOpen }) => ({
    ...(isWrite ? { write: value } : { read: value }),
    sentAt,
    answeredAt: isOpen ? open : sentAt + lengthOf,
  }))
  const verdicts = { true: 0, false: 0 }
  const agrees = property(array(access, { maxLength: 6 }), constant(0), (history, initial) => {
    const expected = holdsForSomeOrder(history, initial)
    verdicts[`${expected}`] += 1
    expect(isLinearizable(history, initial, register)).toBe(expected)
  })
  fc.assert(agrees, { numRuns: 2_000 })
  expect(Math.min(verdicts.true, verdicts.false)).toBeGreaterThan(100)
})
