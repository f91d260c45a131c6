import { bigInt, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { always } from '../../simulator/testing/always.ts'
import { isTooDeep, parseJson } from './json.ts'

const parse = (text: string) => parseJson(Buffer.from(text))

test('an integer keeps all its digits, however large it is', () => {
  always(
    property(bigInt({ min: -(2n ** 80n), max: 2n ** 80n }), (integer) => {
      expect(parse(`{"login":${integer}}`)).toSatisfy(
        (value) => BigInt((value as { login: number | bigint }).login) === integer,
      )
    }),
  )
})

test.for([
  ['9007199254740991', 9_007_199_254_740_991],
  ['9007199254740993', 9_007_199_254_740_993n],
  ['-9007199254740993', -9_007_199_254_740_993n],
  ['18446744073709551615', 18_446_744_073_709_551_615n],
  ['9007199254740993.0', 9_007_199_254_740_993n],
  ['9007199254740993E+0', 9_007_199_254_740_993n],
  ['-9.007199254740993e15', -9_007_199_254_740_993n],
  ['900719925474099300e-2', 9_007_199_254_740_993n],
  ['9007199254740993.5', 9_007_199_254_740_994],
  ['1e400', Number.POSITIVE_INFINITY],
  ['42', 42],
] as const)('%s is read exactly', ([numeral, value]) => {
  expect(parse(numeral)).toBe(value)
  expect(parse(`[{"login": ${numeral}}]`)).toEqual([{ login: value }])
})

test('a fraction is a number, even next to an integer beyond the range of a double', () => {
  expect(parse('{"login":18446744073709551615,"value":1.5,"small":1e-3,"long":0.1234567890123456}')).toEqual({
    login: 18_446_744_073_709_551_615n,
    value: 1.5,
    small: 0.001,
    long: 0.1234567890123456,
  })
})

test('digits inside a string do not change how the rest is parsed', () => {
  expect(parse('{"note":"12345678901234567890","index":3}')).toEqual({ note: '12345678901234567890', index: 3 })
})

test('strings survive a round trip, with escapes and characters of every plane', () => {
  always(
    property(string({ unit: 'grapheme' }), (text) => {
      expect(parse(JSON.stringify({ text, login: 1 }))).toEqual({ text, login: 1 })
    }),
  )
})

test.for([
  '',
  ' ',
  '{',
  '{"a":1,}',
  "{'a':1}",
  '[01]',
  '[1.]',
  'NaN',
  '{"a":1} x',
  '"tab\tinside"',
  '{"login":12345678901234567890',
  '[12345678901234567890,]',
])('%j is not valid JSON', (text) => {
  expect(parse(text)).toBeUndefined()
})

test.for([
  ['a byte that starts nothing', [0xff]],
  ['a sequence that stops short', [0xe2, 0x82]],
  ['an overlong slash', [0xc0, 0xaf]],
  ['a surrogate', [0xed, 0xa0, 0x80]],
] as const)('%s inside a string is not valid JSON, because it is not UTF-8', ([, bytes]) => {
  const quote = Buffer.from('"')
  expect(parseJson(Buffer.concat([quote, Buffer.from(bytes), quote]))).toBeUndefined()
})

test('valid JSON null differs from invalid JSON', () => {
  expect(parse('null')).toBeNull()
})

test('a duplicate member is read as in JSON.parse, and does not round a long number next to it', () => {
  expect(parse('{"a":9007199254740993,"b":1,"b":2}')).toEqual({ a: 9007199254740993n, b: 2 })
})

test.for([
  ['[', ']'],
  ['{"a":[', ']}'],
] as const)('%s nested 100,000 levels deep is too deep', ([open, close]) => {
  const text = `${open.repeat(100_000)}1${close.repeat(100_000)}`
  expect(isTooDeep(parse(text))).toBe(true)
  expect(isTooDeep(parse(`{"login":9007199254740993,"deep":${text}}`))).toBe(true)
})

test('100 levels are not too deep, and brackets in strings or next to each other do not count', () => {
  expect(isTooDeep(parse(`${'['.repeat(100)}1${']'.repeat(100)}`))).toBe(false)
  expect(isTooDeep(parse(`${'['.repeat(101)}1${']'.repeat(101)}`))).toBe(true)
  expect(isTooDeep({ text: `\\"${'['.repeat(500)}` })).toBe(false)
  expect(isTooDeep(Array.from({ length: 500 }, () => [[]]))).toBe(false)
})

test('a number with a million digits is read as Infinity', () => {
  expect(parse(`[${'1'.repeat(1_000_000)}]`)).toEqual([Number.POSITIVE_INFINITY])
})

test('a byte order mark is skipped', () => {
  expect(parse('\ufeff{"a":1}')).toEqual({ a: 1 })
})
