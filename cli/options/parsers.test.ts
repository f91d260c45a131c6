import { integer, property } from 'fast-check'
import { expect, test } from 'vitest'
import { always } from '../../simulator/testing/always.ts'
import { bodyPaths, collect, loginRange, notEmpty, wholeNumber } from './parsers.ts'

test('every whole number in the inclusive range is accepted, and none outside it', () => {
  const parse = wholeNumber(5, 500)
  always(
    property(integer({ min: -10, max: 1000 }), (number) => {
      if (number >= 5 && number <= 500) expect(parse(String(number))).toBe(number)
      else expect(() => parse(String(number))).toThrow('Give a whole number from 5 to 500.')
    }),
  )
})

test.for(['', ' ', '1.5', '-1', '+1', '1e3', '0x10', 'many', '1 ', '9007199254740993', 'Infinity'])(
  '%j is not a whole number',
  (text) => {
    expect(() => wholeNumber(0)(text)).toThrow('Give a whole number of at least 0.')
  },
)

test('the values of a repeated option keep their order', () => {
  expect(collect('b', collect('a', []))).toEqual(['a', 'b'])
})

test.for([
  ['1-12', { from: 1, to: 12 }],
  ['900000000-900000999', { from: 900_000_000, to: 900_000_999 }],
] as const)('%s is a range of logins', ([text, range]) => {
  expect(loginRange(text)).toEqual(range)
})

test.for([
  '',
  '5',
  '5-6',
  '5-15',
  '30-5',
  '0-19',
  '-5-19',
  '1-',
  'a-b',
  '1-30-50',
  '1-9007199254740993',
  '1.5-19',
  ' 1-19',
])('%j is not a range of at least 12 logins', (text) => {
  expect(() => loginRange(text)).toThrow('at least 12 logins')
})

test.for(['', ' '])('%j is rejected as empty, like an unset variable of a CI job', (text) => {
  expect(() => notEmpty('node server.js')(text)).toThrow('Give a value that is not empty, like `node server.js`.')
})

test('a path in a body begins with a slash or a glob, as no other path matches', () => {
  expect(bodyPaths('**/note', bodyPaths('/uptime', []))).toEqual(['/uptime', '**/note'])
  expect(() => bodyPaths('uptime', [])).toThrow('Give a path from the root of the body, like `/uptime`.')
})
