import { expect, test } from 'vitest'
import { pluginCases } from '../../../suites/checks/plugin/all.ts'
import type { Capability } from '../../../suites/session/check.ts'
import { expectedWrites } from './expected-writes.ts'
import usualWrites from './usual-writes.json' with { type: 'json' }

/** Only a server that the kit starts itself has them. */
const ofOwnServers: readonly Capability[] = ['rules-file', 'port', 'crash', 'capacity']

test('each check that a running server can be judged by has its number: `npm run usual-writes`', () => {
  const possible = pluginCases.filter(({ needs = [] }) => !needs.some((need) => ofOwnServers.includes(need)))
  expect(Object.keys(usualWrites)).toEqual(possible.map(({ id }) => id).toSorted())
})

test('checks that are not run send nothing; others may send some times as much, and fill the list if they are exclusive', () => {
  const plan = [
    { id: 'CT-401', outOfScope: null },
    { id: 'CT-501', outOfScope: 'it needs --risk write' },
  ]
  const usual = usualWrites['CT-401']
  expect(usual).toBeGreaterThan(0)
  const settings = { risk: 'write', maxFill: 100, thorough: 1 } as const
  expect(expectedWrites(plan, settings)).toEqual({ usual, most: 6 * usual })
  expect(expectedWrites(plan, { ...settings, risk: 'exclusive' })).toEqual({ usual, most: 6 * usual + 400 })
})

test('a check that states the most that it sends is believed, and sends more if it is thorough', () => {
  const stated = pluginCases.find(({ mostWrites }) => mostWrites !== undefined && mostWrites(2) > mostWrites(1))
  const plan = [{ id: stated?.id ?? '', outOfScope: null }]
  const most = [1, 2].map((thorough) => expectedWrites(plan, { risk: 'write', maxFill: 0, thorough }).most)
  expect(most).toEqual([1, 2].map((thorough) => 2 * (stated?.mostWrites?.(thorough) ?? 0)))
})
