import fc from 'fast-check'
import { expect, test } from 'vitest'
import { layOutJson } from './json-layout.ts'

test('short objects stay on one line, but not the list around them', () => {
  expect(layOutJson('{"rules":[{"index":0,"value":1.0},{"index":1,"value":9e8}],"total":2}')).toBe(
    [
      '{',
      '  "rules": [',
      '    { "index": 0, "value": 1.0 },',
      '    { "index": 1, "value": 9e8 }',
      '  ],',
      '  "total": 2',
      '}',
    ].join('\n'),
  )
})

test('numbers, repeated members and escapes keep their spelling', () => {
  const text = '{"master":9007199254740993,"master":1.50,"error":"a \\"b\\" , {c} \\u0041"}'
  expect(layOutJson(text)?.replace(/\s/g, '')).toBe(text.replace(/\s/g, ''))
})

test('the layout does not change the value', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(JSON.parse(layOutJson(text) ?? '')).toEqual(JSON.parse(text))
    }),
  )
})

test('text that is not JSON is not formatted, and deeply nested JSON keeps its layout', () => {
  expect(layOutJson('{"a":')).toBeNull()
  const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`
  expect(layOutJson(deep)).toBe(deep)
})
