import { expect, test } from 'vitest'
import { marked } from './evidence.tsx'

const differing = (expected: string, actual: string) =>
  marked(expected, actual).map((pieces) => pieces.flatMap(({ text, differs }) => (differs ? [text] : [])))

test.each([
  ['status 400', 'status 201: {"status":400}', [['400'], ['201']]],
  ['a\nb 1 c\nd', 'a\nb 2 c\nd', [['1'], ['2']]],
  ['a\nb', 'a\nb\nc', [[], ['\nc']]],
  ['as in some order', 'list before: a\nA |--| list: 0:b', [[], []]],
] as const)('%j against %j', (expected, actual, marks) => {
  expect(differing(expected, actual)).toEqual(marks)
})

test('long texts are compared by lines', () => {
  const long = 'x\n'.repeat(1000)
  expect(differing(`${long}a 1\n`, `${long}a 2\n`)).toEqual([['a 1\n'], ['a 2\n']])
})

test('both sides contain their whole text', () => {
  const [left, right] = marked('one two\nthree', 'one 2\nthree\nfour')
  expect(left.map(({ text }) => text).join('')).toBe('one two\nthree')
  expect(right.map(({ text }) => text).join('')).toBe('one 2\nthree\nfour')
})
