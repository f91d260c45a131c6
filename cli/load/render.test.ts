import { expect, test } from 'vitest'
import { isFast, loadText, rowsOf } from './render.ts'

const sample = (latencyMs: number, lateMs = 0) => ({ operation: 'GET /api/rules', latencyMs, lateMs, failure: null })
const hundred = Array.from({ length: 100 }, (_, place) => sample(100 - place))

test('percentiles are those of the nearest rank', () => {
  expect(rowsOf(hundred)).toMatchObject([{ count: 100, p50: 50, p90: 90, p99: 99, max: 100 }])
})

test('a server is not blamed for requests that the kit sent late', () => {
  const [late] = rowsOf([...hundred, sample(60, 20)])
  if (late === undefined) throw new Error('no row')
  expect([150, 90, 70].map((most) => isFast(late, most))).toEqual([true, null, false])
  expect(loadText([late], 90)).toContain('not judged: the kit sent a request 20 ms late')
  expect(loadText([late], 70)).toContain('above --max-p99 70')
})
