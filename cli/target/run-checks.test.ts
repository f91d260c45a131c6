import { performance } from 'node:perf_hooks'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createTimeLeft } from './run-checks.ts'

const weights = new Map([
  ['CT-1', 1],
  ['CT-2', 3],
])

function clock() {
  const at = { now: 0 }
  vi.spyOn(performance, 'now').mockImplementation(() => at.now)
  onTestFinished(() => void vi.restoreAllMocks())
  return at
}

test('the time left depends on the estimate at first, and increasingly on the time that the checks took', () => {
  const at = clock()
  const { done, leftMs } = createTimeLeft(weights, 40_000)
  expect(leftMs()).toBe(40_000)
  at.now = 10_000
  expect(leftMs()).toBe(30_000)
  at.now = 20_000
  // A quarter took 20 s, so the whole would take 80 s.
  done('CT-1')
  expect(leftMs()).toBe(20_000 + 30_000 - 20_000)
  at.now = 90_000
  expect(leftMs()).toBe(0)
})

test('without an estimate the time left is known once some checks have ended', () => {
  const at = clock()
  const { done, leftMs } = createTimeLeft(weights, null)
  at.now = 5_000
  expect(leftMs()).toBeNull()
  done('CT-1')
  expect(leftMs()).toBe(15_000)
})
