import { bigInt, integer, property } from 'fast-check'
import { expect, test } from 'vitest'
import { always } from '../../testing/always.ts'
import { readNumeral } from './numeral.ts'

test('an integer is recognised in every spelling', () => {
  always(
    property(bigInt(), integer({ min: 0, max: 30 }), (number, places) => {
      const scaled = `${number * 10n ** BigInt(places)}`
      const spellings = [`${number}`, `${number}.${'0'.repeat(places + 1)}`, `${number}e0`, `${scaled}e-${places}`]
      for (const spelling of spellings)
        expect(readNumeral(spelling)).toMatchObject({ isInteger: true, integer: number })
      expect(readNumeral(`${number}E+${places}`).integer).toBe(BigInt(scaled))
    }),
  )
})

test('a fraction is truncated, whatever the exponent', () => {
  for (const text of ['12.5', '125e-1', '0.125e2']) {
    expect(readNumeral(text)).toMatchObject({ isInteger: false, integer: 12n })
  }
  expect(readNumeral('-0.5')).toMatchObject({ isInteger: false, integer: 0n })
  expect(readNumeral('1e-400')).toMatchObject({ isInteger: false, integer: 0n })
  expect(readNumeral('0.0e-400')).toMatchObject({ isInteger: true, integer: 0n })
})

test('a huge exponent is read in no time, as a huge value', () => {
  expect(readNumeral('1e999999999').integer > 2n ** 64n).toBe(true)
  expect(readNumeral('0e999999999')).toMatchObject({ isInteger: true, integer: 0n })
  expect(readNumeral(`1e${'9'.repeat(1000)}`).integer > 2n ** 64n).toBe(true)
})
