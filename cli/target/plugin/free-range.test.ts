import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Draft } from '../../../suites/model/rule.ts'
import { isWithin } from '../../../suites/session/logins.ts'
import { nearestFreeRange } from './examinations.ts'

const rule = (master: number, follower: number): Draft => ({
  master,
  follower,
  mode: 'mult',
  value: 1,
  direction: 'same',
})

test('an unused range is kept', () => {
  expect(nearestFreeRange({ from: 10, to: 19 }, [rule(9, 20)])).toEqual({ from: 10, to: 19 })
})

test('the nearer free range is suggested', () => {
  expect(nearestFreeRange({ from: 10, to: 19 }, [rule(11, 900)])).toEqual({ from: 12, to: 21 })
  expect(nearestFreeRange({ from: 10, to: 19 }, [rule(18, 19)])).toEqual({ from: 8, to: 17 })
})

test('nothing is suggested if no gap is wide enough', () => {
  expect(nearestFreeRange({ from: 1, to: 5 }, [rule(4, 8)], 12)).toBeNull()
})

test('values that are not valid logins are ignored', () => {
  const invalid = { ...rule(0, -5), master: 2n ** 70n, follower: 'none' as unknown as number }
  expect(nearestFreeRange({ from: 10, to: 19 }, [invalid, rule(0, 1.5)])).toEqual({ from: 10, to: 19 })
})

test('for any list the range is free, has the same size, and no free range is nearer', () => {
  const highest = 60
  const login = fc.integer({ min: 1, max: highest })
  fc.assert(
    fc.property(
      fc.array(fc.tuple(login, login), { maxLength: 8 }),
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 2, max: 15 }),
      (pairs, from, more) => {
        const rules = pairs.map(([master, follower]) => rule(master, follower))
        const free = Array.from({ length: highest - more }, (_, i) => ({ from: i + 1, to: i + 1 + more })).filter(
          (range) => !rules.some((one) => isWithin(range, one)),
        )
        const found = nearestFreeRange({ from, to: from + more }, rules, highest)
        if (found === null) {
          expect(free).toEqual([])
          return
        }
        expect(free).toContainEqual(found)
        const nearest = Math.min(...free.map((range) => Math.abs(range.from - from)))
        expect(Math.abs(found.from - from)).toBe(nearest)
      },
    ),
  )
})
