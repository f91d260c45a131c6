import { json, property, string } from 'fast-check'
import { isLosslessNumber } from 'lossless-json'
import { expect, test } from 'vitest'
import { always } from '../testing/always.ts'
import { readJson, writeJson } from './json.ts'

function accepts(read: (text: string) => unknown, text: string): boolean {
  try {
    read(text)
    return true
  } catch {
    return false
  }
}

test('accepts exactly the texts that JSON.parse accepts, with the same values', () => {
  const numbers = (_: string, value: unknown) => (isLosslessNumber(value) ? Number(value.value) : value)
  always(
    property(json({ maxDepth: 5 }), (text) => {
      expect(JSON.stringify(readJson(text, 'last'), numbers)).toEqual(JSON.stringify(JSON.parse(text)))
    }),
  )
  always(
    property(string({ unit: 'grapheme-ascii' }), json(), (insert, text) => {
      const broken = text.slice(0, text.length / 2) + insert + text.slice(text.length / 2)
      expect(accepts((broken) => readJson(broken, 'last'), broken)).toBe(accepts(JSON.parse, broken))
    }),
  )
})

test('brackets inside strings do not count as nesting', () => {
  const text = JSON.stringify(`${'['.repeat(1000)}\\"${'{'.repeat(1000)}`)
  expect(readJson(text, 'last')).toBe(JSON.parse(text))
})

test('an unclosed string full of escapes is rejected without delay', () => {
  expect(() => readJson('"\\"'.repeat(200_000), 'last')).toThrow('Invalid JSON.')
})

test('a 64-bit login is written with all its digits', () => {
  expect(Buffer.from(writeJson({ master: 2n ** 64n - 1n })).toString()).toBe('{"master":18446744073709551615}')
})
