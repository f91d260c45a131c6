import { constantFrom, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { always } from '../../simulator/testing/always.ts'
import { wrongKeys } from './wrong-keys.ts'

const anyKey = string({
  unit: constantFrom(...Array.from({ length: 94 }, (_, i) => String.fromCharCode(33 + i))),
  minLength: 1,
})

test('variations of a key: without its last or first letter, with another last letter, with an extra letter at either end, in other case', () => {
  const wrong = ['Secret-', 'ecret-1', 'Secret-x', 'Secret-1x', 'xSecret-1', 'sECRET-1']
  expect(wrongKeys('Secret-1')).toEqual(expect.arrayContaining([...wrong, 'Secret-1,x', '"Secret-1"']))
  expect(wrongKeys('box')).toEqual(expect.arrayContaining(['bo', 'ox', 'boy', 'boxx', 'xbox', 'BOX']))
})

test('no variation is the right key or empty, none repeats, and every header can carry them', () => {
  always(
    property(anyKey, (key) => {
      const wrong = wrongKeys(key)
      expect(wrong).not.toContain(key)
      expect(wrong).not.toContain('')
      expect(new Set(wrong).size).toBe(wrong.length)
      expect(wrong.length).toBeGreaterThanOrEqual(3)
      for (const candidate of wrong) expect(candidate).toMatch(/^[\x21-\x7e]( ?[\x21-\x7e])*$/)
    }),
  )
})

test('a key without letters has no variation in other case', () => {
  for (const candidate of wrongKeys('123')) expect(candidate).toMatch(/^([0123xy,;*= %"]+|undefined|null)$/)
  expect(wrongKeys('123')).toEqual(expect.arrayContaining(['12', '23', '12x', '123x', 'x123']))
})
