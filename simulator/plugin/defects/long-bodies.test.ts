import { expect, test } from 'vitest'
import { overrideHooks } from '../../server/override-hooks.ts'
import { type Hooks, hooksFor, type Override } from '../hooks/hooks.ts'
import { defaultProfile } from '../profile/profile.ts'
import { pluginDefects } from './index.ts'

const long = 'x'.repeat(2 ** 15)
const bodies = [long, JSON.stringify({ comment: long })]

/** The processor time, in microseconds, in which a simulator with this override parses the bodies. */
function costOf(override: Override): number {
  const hooks: Hooks = overrideHooks(hooksFor(defaultProfile), override)
  const before = process.cpuUsage()
  for (const body of bodies) {
    try {
      hooks.parseJson(body)
    } catch {
      // It is rejected.
    }
  }
  return process.cpuUsage(before).user
}

/** In microseconds. Some systems count processor time in larger units, so that most costs are 0. */
const leastUsual = 100

test('no defect needs long for a long body: other simulators of its process would not respond meanwhile', () => {
  const costs = pluginDefects.map(({ id, override }) => ({ id, cost: costOf(override) }))
  const median = costs.map(({ cost }) => cost).toSorted((one, other) => one - other)[costs.length >> 1] ?? 0
  const usual = Math.max(leastUsual, median)
  expect(costs.filter(({ cost }) => cost > 200 * usual).map(({ id }) => id)).toEqual([])
})
