import { expect, test } from 'vitest'
import { expectExplained } from '../assertions/explained.ts'
import { failureOf } from '../assertions/failure.ts'
import { isLinearizable } from './linearizable.ts'
import { contentLine } from './rule.ts'
import { type Call, type Choices, type ListOperation, listModel } from './rule-list.ts'

const choices: Choices = { base: 1, placement: 'end' }
const open = Number.POSITIVE_INFINITY

const at = (client: string, sentAt: number, answeredAt: number, call: Call): ListOperation => ({
  client,
  sentAt,
  answeredAt,
  ...call,
})
const add = (rule: string, index: number): Call => ({ kind: 'add', rule, response: { says: 'added', index } })
const remove = (index: number, says: 'removed' | 'absent' = 'removed'): Call => ({
  kind: 'remove',
  index,
  response: { says },
})
const list = (...rules: readonly string[]): Call => ({
  kind: 'list',
  response: { says: 'listed', rules: rules.map((rule, position) => ({ index: position + 1, rule })) },
})

const holds = (history: readonly ListOperation[], before: readonly string[] = [], chosen = choices) =>
  isLinearizable(history, before, listModel(chosen))

test('two concurrent additions may get their indices in either order, but not the same index', () => {
  const both = (first: number, second: number) => [at('A', 1, 4, add('x', first)), at('B', 2, 3, add('y', second))]
  expect(holds(both(1, 2))).toBe(true)
  expect(holds(both(2, 1))).toBe(true)
  expect(holds(both(1, 1))).toBe(false)
})

test('of two removals of the only rule, one gets 404', () => {
  const both = (second: 'removed' | 'absent') => [at('A', 1, 3, remove(1)), at('B', 2, 4, remove(1, second))]
  expect(holds(both('absent'), ['x'])).toBe(true)
  expect(holds(both('removed'), ['x'])).toBe(false)
  expect(holds(both('removed'), ['x', 'y'])).toBe(true)
})

test('a rule that is lost, duplicated, moved or changed is a contradiction', () => {
  const history = (...listed: readonly string[]) => [at('A', 1, 2, add('z', 3)), at('A', 3, 4, list(...listed))]
  expect(holds(history('x', 'y', 'z'), ['x', 'y'])).toBe(true)
  for (const wrong of [
    ['x', 'y'],
    ['x', 'y', 'z', 'z'],
    ['y', 'x', 'z'],
    ['x', 'y', 'z with another value'],
  ]) {
    expect(holds(history(...wrong), ['x', 'y'])).toBe(false)
  }
})

test('an index without a rule is a contradiction', () => {
  const listed = [
    { index: 1, rule: 'x' },
    { index: 3, rule: 'y' },
  ]
  expect(holds([at('A', 1, 2, { kind: 'list', response: { says: 'listed', rules: listed } })], ['x', 'y'])).toBe(false)
})

test('a rejected change changes nothing, one without a response may have', () => {
  const refused = at('A', 1, 2, { kind: 'add', rule: 'x', response: { says: 'refused', status: 500 } })
  expect(holds([refused, at('A', 3, 4, list())])).toBe(true)
  expect(holds([refused, at('A', 3, 4, list('x'))])).toBe(false)
  const lost = at('A', 1, open, { kind: 'add', rule: 'x', response: null })
  expect(holds([lost, at('A', 3, 4, list())])).toBe(true)
  expect(holds([lost, at('A', 3, 4, list('x'))])).toBe(true)
})

test('a new rule is inserted where the server puts it', () => {
  const history = (place: number, ...listed: readonly string[]) => [
    at('A', 1, 2, add('z', place)),
    at('A', 3, 4, list(...listed)),
  ]
  const start = { ...choices, placement: 'start' } as const
  expect(holds(history(1, 'z', 'x', 'y'), ['x', 'y'], start)).toBe(true)
  expect(holds(history(3, 'x', 'y', 'z'), ['x', 'y'], start)).toBe(false)
  const anywhere = { ...choices, placement: 'anywhere' } as const
  expect(holds(history(2, 'x', 'z', 'y'), ['x', 'y'], anywhere)).toBe(true)
  expect(holds(history(2, 'x', 'y', 'z'), ['x', 'y'], anywhere)).toBe(false)
})

test('a contradiction is shown with letters for rules and one line per request', () => {
  const history = [
    at('A', 1, 4, add('1001>2001 mult 1 same', 1)),
    at('B', 2, 3, add('1001>2002 mult 1 same', 1)),
    at('C', 2.5, open, { kind: 'remove', index: 1, response: null }),
    at('B', 5, 6, list('1001>2001 mult 1 same')),
    at('B', 7, 8, list('1001>2001 mult 1 same', '1001>2002 mult 1 same')),
  ]
  const claim = { code: 'concurrency.unexplained', before: [], choices, seed: 1 } as const
  expect(failureOf(() => expectExplained(history, claim))?.actual).toMatchInlineSnapshot(`
    "list before: (empty)
    A |-----------|               add a: 201, index 1
    B    |-----|                  add b: 201, index 1
    C       |-------------------- remove index 1: no response yet
    B                |--|         list: 1:a
    B                      |--|   list: 1:a 2:b
    a = 1001>2001 mult 1 same
    b = 1001>2002 mult 1 same"
  `)
})

test('values are equal to six digits, as a server with 32-bit floats lists them', () => {
  const rule = { master: 1, follower: 2, mode: 'mult', value: 0.01, direction: 'same' }
  expect(contentLine({ ...rule, value: Math.fround(0.01) })).toBe(contentLine(rule))
  expect(contentLine({ ...rule, value: 0.0101 })).not.toBe(contentLine(rule))
})
