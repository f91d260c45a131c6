import { expect, test } from 'vitest'
import { codesOf, runFleetScenario } from '../fleet-scenario.ts'

test('of twenty servers three are faulty, one is down, one does not respond, and one becomes faulty overnight', {
  timeout: 900_000,
}, async () => {
  const { yesterday, shards, merged, compared, fleet } = await runFleetScenario({
    ...{ servers: 20, faulty: [3, 8, 15], down: 11, silent: 12, regressed: 17 },
    defaults: ['  risk: write', '  seed: 1', '  timeout: 2000', '  only: [plugin.delete.*, plugin.status.*]'],
  })
  expect([yesterday, ...shards, merged, compared].map(({ code }) => code)).toEqual([4, 4, 4, 4, 1])
  const known = { 'server-3': 1, 'server-8': 1, 'server-15': 1, 'server-11': 4, 'server-12': 4 }
  const all = Object.fromEntries(Array.from({ length: 20 }, (_, place) => [`server-${place + 1}`, 0]))
  expect(codesOf(fleet('yesterday'))).toEqual({ ...all, ...known })
  expect(codesOf(fleet('today'))).toEqual({ ...all, ...known, 'server-17': 1 })
  expect(shards.map((_, place) => fleet(`parts/${place + 1}`).installs.length)).toEqual([10, 10])
  // Which operations are slower depends on the machine.
  const regressed = [...compared.stdout.matchAll(/^(\S+): \d+ regressions?/gm)].map(([, name]) => name)
  expect(regressed).toEqual(['server-17'])
  expect(compared.stdout).toContain('18 installs compared: ')
})
