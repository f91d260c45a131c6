import { expect, test } from 'vitest'
import { pluginCases } from '../../../suites/checks/plugin/all.ts'
import type { Capability } from '../../../suites/session/check.ts'
import { estimateWrites } from './estimates.ts'
import { roomOfSimulator, rulesOfSimulator } from './simulate.ts'
import usualWrites from './usual-writes.json' with { type: 'json' }

/** Only servers that the kit starts have these. */
const ofOwnServers: readonly Capability[] = ['rules-file', 'port', 'crash', 'capacity']

test('each check for running servers has a number of writes: `npm run usual-writes`', () => {
  const possible = pluginCases.filter(({ needs = [] }) => !needs.some((need) => ofOwnServers.includes(need)))
  expect(Object.keys(usualWrites)).toEqual(possible.map(({ id }) => id).toSorted())
})

const settings = { risk: 'write', maxFill: 100, thorough: 1 } as const
const planOf = (...ids: readonly string[]) => ids.map((id) => ({ id, outOfScope: null }))

test('checks that are not run count nothing; others may send six times their number and arrange rules, and exclusive ones fill the list', () => {
  const plan = [...planOf('CT-401'), { id: 'CT-501', outOfScope: 'it needs --risk write' }]
  const usual = usualWrites['CT-401']
  expect(usual).toBeGreaterThan(0)
  const most = 6 * (usual + 2 * rulesOfSimulator)
  expect(estimateWrites(plan, settings)).toEqual({ usual, most })
  expect(estimateWrites(plan, { ...settings, risk: 'exclusive' })).toEqual({ usual, most: most + 600 })
  expect(estimateWrites(plan, { ...settings, risk: 'read' })).toEqual({ usual: 0, most: 0 })
})

test('checks that fill the list share one fill', () => {
  const [one = '', other = ''] = pluginCases.filter(({ fills }) => fills).map(({ id }) => id)
  const [alone, both] = [planOf(one), planOf(one, other)].map((plan) => estimateWrites(plan, settings).usual ?? 0)
  expect(alone).toBeGreaterThan(2 * roomOfSimulator)
  expect(both).toBeLessThan(1.5 * (alone ?? 0))
})

test('checks that share responses count once, by the one that sends most', () => {
  const [first] = pluginCases.flatMap(({ shares }) => shares ?? [])
  const [one = '', other = ''] = pluginCases.filter(({ shares }) => shares === first).map(({ id }) => id)
  const usualOf = (...ids: readonly string[]) => estimateWrites(planOf(...ids), settings).usual ?? 0
  expect(usualOf(one, other)).toBe(Math.max(usualOf(one), usualOf(other)))
  expect(usualOf(other, one)).toBe(usualOf(one, other))
})

test('the maximum that a check states is its limit, and a thorough run has only a maximum', () => {
  const stated = pluginCases.find(({ mostWrites }) => mostWrites !== undefined && mostWrites(2) > mostWrites(1))
  const most = [1, 2].map((thorough) => 2 * (stated?.mostWrites?.(thorough) ?? Number.NaN))
  const estimates = [1, 2].map((thorough) => estimateWrites(planOf(stated?.id ?? ''), { ...settings, thorough }))
  expect(estimates).toEqual([
    { usual: expect.any(Number), most: most[0] },
    { usual: null, most: most[1] },
  ])
})
