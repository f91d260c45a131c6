import { expect, test } from 'vitest'
import { decodeBody } from './response.ts'

const listOf = (length: number, last = 0) =>
  Buffer.from(JSON.stringify({ rules: [...Array.from({ length }, (_, index) => ({ index })), { index: last }] }))

test('consecutive equal long bodies are decoded once', () => {
  const first = decodeBody(listOf(1_000))
  expect(decodeBody(listOf(1_000))).toBe(first)
})

test('a long body that differs from the previous one in its last byte is decoded', () => {
  decodeBody(listOf(1_000, 7))
  expect(decodeBody(listOf(1_000, 8))).toMatchObject({ json: JSON.parse(listOf(1_000, 8).toString()) })
  expect(decodeBody(listOf(1_000, 8)).text).toBe(listOf(1_000, 8).toString())
})

test('a short body after a long one is decoded', () => {
  decodeBody(listOf(1_000))
  expect(decodeBody(Buffer.from('{"rules":[]}')).json).toEqual({ rules: [] })
})
