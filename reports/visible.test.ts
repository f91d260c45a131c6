import { expect, test } from 'vitest'
import { visibleJson, visibleJsonLines } from './visible.ts'

test('JSON has no control characters, and the same content', () => {
  const codes = [0x7f, 0x80, 0x9b, 0x9f, 0x2028, 0x2029, 0x202a, 0x202e, 0x2066, 0x2069]
  const value = { text: `ä€ ${String.fromCharCode(...codes)}`, [String.fromCharCode(0x202e)]: 1 }
  const json = visibleJson(value, 2)
  expect(json).toMatch(/^[ -~\nä€]*$/)
  expect(json).toContain(String.raw`\u009b`)
  expect(JSON.parse(json)).toEqual(value)
})

test('each exchange is one line of JSON, even if other members have the same name', () => {
  const text = String.fromCharCode(0x9b)
  const value = {
    exchanges: [{ id: 'x1', text, exchanges: [] }, 2],
    other: { exchanges: [] },
    data: { exchanges: '[]' },
  }
  const json = visibleJsonLines(value, 'exchanges')
  expect(JSON.parse(json)).toEqual(value)
  expect(json.split('\n').slice(0, 5)).toEqual([
    '{',
    ' "exchanges": [',
    String.raw`{"id":"x1","text":"\u009b","exchanges":[]},`,
    '2',
    '],',
  ])
})
