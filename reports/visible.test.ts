import { expect, test } from 'vitest'
import { visibleJson } from './visible.ts'

test('JSON has no character that a terminal or an editor would obey, and the same content', () => {
  const codes = [0x7f, 0x80, 0x9b, 0x9f, 0x2028, 0x2029, 0x202a, 0x202e, 0x2066, 0x2069]
  const value = { text: `ä€ ${String.fromCharCode(...codes)}`, [String.fromCharCode(0x202e)]: 1 }
  const json = visibleJson(value, 2)
  expect(json).toMatch(/^[ -~\nä€]*$/)
  expect(json).toContain(String.raw`\u009b`)
  expect(JSON.parse(json)).toEqual(value)
})
