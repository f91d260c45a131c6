import { describe, expect, test } from 'vitest'
import { renderResults } from './render.ts'
import { medianOf, playRounds, resultOf } from './rounds.ts'
import type { Row } from './row.ts'
import { parts, rows } from './rows.ts'
import { createWorkspace } from './workspace.ts'

const nothing = { rounds: 3, warmUp: false, open: async () => ({}) }
const row: Row = {
  id: 'sample',
  part: 'start',
  what: 'a sample',
  against: 'its limit',
  goal: 2,
  direction: 'at most',
  unit: '×',
  measure: nothing,
  figure: ({ product, limit }) => (product?.seconds ?? 0) / (limit?.seconds ?? 0),
}
const rounds = [
  { product: { seconds: 3 }, limit: { seconds: 1 } },
  { product: { seconds: 4 }, limit: { seconds: 4 } },
  { product: { seconds: 10 }, limit: { seconds: 5 } },
]

describe('a result', () => {
  test('is the median of the ratios of the rounds, with the lowest and the highest', () => {
    expect(resultOf(row, rounds)).toMatchObject({ figures: [3, 1, 2], median: 2, lowest: 1, highest: 3, met: true })
  })

  test('shows the median of each side', () => {
    expect(resultOf(row, rounds).sides).toEqual({ product: { seconds: 4 }, limit: { seconds: 4 } })
  })

  test.for([
    { direction: 'at most', goal: 1.9, met: false },
    { direction: 'at least', goal: 2, met: true },
    { direction: 'at least', goal: 2.1, met: false },
  ] as const)('of 2 against the goal $direction $goal: met is $met', ({ met, ...changes }) => {
    expect(resultOf({ ...row, ...changes }, rounds).met).toBe(met)
  })

  test('is a line of the page, with its goal', () => {
    const { figures, ...setting } = {
      figures: resultOf(row, rounds),
      date: '2026-01-02T03:04:05Z',
      machine: 'a machine',
    }
    const page = renderResults({ start: { ...setting, versions: { node: 'v20' }, rows: [figures] } })
    expect(page).toContain('| a sample | its limit | 2 × | 1–3 | 3 | at most 2 × | met |')
  })

  test('uses the mean of the middle two as the median of an even number of rounds', () => {
    expect(medianOf([4, 1, 3, 2])).toBe(2.5)
  })
})

test('the sides alternate, in reverse order every second round, after a round that does not count', async () => {
  const played: string[] = []
  const side = (name: string) => async () => ({ calls: played.push(name) })
  const counted = await playRounds({ rounds: 2, warmUp: true }, { product: side('product'), limit: side('limit') })
  expect(played).toEqual(['product', 'limit', 'product', 'limit', 'limit', 'product'])
  expect(counted).toEqual([
    { product: { calls: 3 }, limit: { calls: 4 } },
    { limit: { calls: 5 }, product: { calls: 6 } },
  ])
})

describe('the table', () => {
  test('has a row for every part, each with an id of its own', () => {
    expect(new Set(rows.map(({ part }) => part))).toEqual(new Set(parts))
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
  })

  // A fleet of 500 installs takes five minutes, and the number of installs matters.
  test.for(rows.filter(({ against, part }) => against !== undefined && part !== 'fleet'))(
    'measures $id in at least five rounds',
    ({ measure }) => {
      expect(measure.rounds).toBeGreaterThanOrEqual(5)
    },
  )
})

test('a measurement starts processes, times them and cleans up', async () => {
  const workspace = createWorkspace()
  const server = "require('http').createServer((_, response) => response.end()).listen(process.argv[1], '127.0.0.1')"
  const started = await workspace.serve((port) => ({ command: process.execPath, args: ['-e', server, `${port}`] }))
  const { seconds, stdout } = await workspace.run({ command: process.execPath, args: ['-p', '1 + 1'] })
  expect(stdout).toBe('2\n')
  expect(seconds).toBeGreaterThan(0)
  await workspace[Symbol.asyncDispose]()
  await expect(fetch(started.url)).rejects.toThrow()
})
