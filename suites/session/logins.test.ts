import { integer, property } from 'fast-check'
import { expect, test } from 'vitest'
import { always } from '../../simulator/testing/always.ts'
import { createDrafts, defaultLogins, isWithin, type LoginRange, rewindableDrafts } from './logins.ts'

function draftsOf(range: LoginRange, seed: number, count: number) {
  const draft = createDrafts(range, seed)
  return Array.from({ length: count }, () => draft())
}

test('in thousands of drafts no pair of logins repeats, no login copies itself, and all are in the range', () => {
  const drafts = draftsOf(defaultLogins, 1, 20_000)
  expect(new Set(drafts.map(({ master, follower }) => `${master}>${follower}`)).size).toBe(20_000)
  expect(drafts.filter(({ master, follower }) => master === follower)).toEqual([])
  const { from, to } = defaultLogins
  const logins = drafts.flatMap(({ master, follower }) => [Number(master), Number(follower)])
  expect(Math.min(...logins.slice(0, 10_000))).toBeGreaterThanOrEqual(from)
  expect(logins.every((login) => Number.isInteger(login) && login >= from && login <= to)).toBe(true)
})

test('no login is both a master and a follower in 3,984 drafts', () => {
  const drafts = draftsOf(defaultLogins, 1, 3_984)
  const masters = new Set(drafts.map(({ master }) => master))
  expect(drafts.filter(({ follower }) => masters.has(follower))).toEqual([])
})

test('even in a small range most pairs are used before one repeats', () => {
  always(
    property(integer({ min: 1, max: 1_000_000 }), integer({ min: 3, max: 40 }), (from, size) => {
      const range = { from, to: from + size - 1 }
      const count = size < 8 ? size * (size - 1) : (size - 3) * (size - 4)
      const drafts = draftsOf(range, 1, count)
      expect(new Set(drafts.map(({ master, follower }) => `${master}>${follower}`)).size).toBe(count)
      const wrong = drafts.filter(
        ({ master, follower }) =>
          master === follower || [master, follower].some((login) => login < range.from || login > range.to),
      )
      expect(wrong).toEqual([])
    }),
  )
})

test('the same seed gives the same drafts, and another seed different ones', () => {
  always(
    property(integer({ min: 0, max: 2 ** 31 - 1 }), (seed) => {
      expect(draftsOf(defaultLogins, seed, 30)).toEqual(draftsOf(defaultLogins, seed, 30))
      expect(draftsOf(defaultLogins, seed, 30)).not.toEqual(draftsOf(defaultLogins, (seed + 1) % 2 ** 31, 30))
    }),
  )
})

test('all modes, all directions and several values occur, and only ones from the specification', () => {
  const drafts = draftsOf(defaultLogins, 3, 300)
  expect(new Set(drafts.map(({ mode }) => mode))).toEqual(new Set(['mult', 'fixed']))
  expect(new Set(drafts.map(({ direction }) => direction))).toEqual(new Set(['same', 'reverse']))
  expect(new Set(drafts.map(({ value }) => value)).size).toBeGreaterThan(5)
  expect(drafts.every(({ value }) => value > 0)).toBe(true)
})

test('neither masters nor followers are sorted over three drafts, and masters and values repeat', () => {
  always(
    property(integer({ min: 0, max: 2 ** 31 - 1 }), (seed) => {
      const drafts = draftsOf(defaultLogins, seed, 60)
      for (const field of ['master', 'follower'] as const) {
        const steps = drafts.slice(1).map((draft, at) => Math.sign(Number(draft[field]) - Number(drafts[at]?.[field])))
        expect(steps.every((step, at) => step === -(steps[at + 1] ?? -step))).toBe(true)
      }
      expect(new Set(drafts.map(({ master }) => master)).size).toBe(4)
      expect(new Set(drafts.map(({ value }) => value)).size).toBeLessThan(30)
    }),
  )
})

test('drafts can be drawn again from a mark, and continue after the last drawn one', () => {
  const { draft, mark, rewind } = rewindableDrafts(defaultLogins, 1)
  draft()
  mark()
  const first = [draft(), draft()]
  rewind()
  expect([draft(), draft()]).toEqual(first)
  const third = draft()
  rewind()
  expect(draft({ value: 7 })).toEqual({ ...first[0], value: 7 })
  mark()
  expect(draft()).toEqual(first[1])
  expect(draft()).toEqual(third)
})

test('changes override a draft, and its pair of logins is still used up', () => {
  const draft = createDrafts(defaultLogins, 1)
  const first = draft({ mode: 'fixed', value: 7, master: 12_345_678_901_234_567_890n })
  expect(first).toMatchObject({ mode: 'fixed', value: 7, master: 12_345_678_901_234_567_890n })
  expect(draft().follower).not.toBe(first.follower)
})

test('a rule is within the inclusive range if one of its logins is', () => {
  const rule = { mode: 'mult', value: 1, direction: 'same' }
  const range = { from: 10, to: 20 }
  const within = (master: number | bigint, follower: number | bigint) => isWithin(range, { ...rule, master, follower })
  expect([within(10, 1), within(1, 20), within(15n, 1)]).toEqual([true, true, true])
  expect([within(9, 21), within(1, 2), within(2n ** 64n - 1n, 0)]).toEqual([false, false, false])
})
