import { expect, test } from 'vitest'

import { faulty, folder, rule, status } from './faulty.test-data.ts'

test.for(['disk-full', 'permission-denied'] as const)(
  '%s: the client gets an error, and nothing changes',
  async (kind) => {
    const simulator = await faulty({ effect: { kind }, times: 1 }, { dataDir: folder() })
    expect(await status(simulator, 'POST', rule)).toBe(500)
    expect(simulator.control.rules()).toHaveLength(1)
    expect(await status(simulator, 'POST', rule)).toBe(201)
  },
)

test.for(['disk-full', 'permission-denied', 'torn-write', 'crash'] as const)(
  '%s applies to the next request that saves the rules',
  async (kind) => {
    const effect = kind === 'crash' ? { kind, at: 'after-rename' as const } : { kind }
    const simulator = await faulty({ effect, times: 1 }, { dataDir: folder() })
    const { faults, journal } = simulator.control
    expect([await status(simulator), await status(simulator, 'POST', { ...rule, value: 0 })]).toEqual([200, 400])
    expect(faults.list()).toMatchObject([{ matched: 0, played: 0 }])
    expect(journal.find().map(({ fault, decision }) => [fault, decision.includes('fault-1')])).toEqual([
      [null, false],
      [null, false],
    ])
    expect(await status(simulator, 'POST', rule)).not.toBe(201)
    expect(faults.list()).toMatchObject([{ matched: 1, played: 1 }])
    expect(await journal.waitFor(1, { fault: 'fault-1' })).toMatchObject([{ method: 'POST', operation: 'add-rule' }])
  },
)

test('skip and probability of a store fault count writes', async () => {
  const when = { body: { master: 5 } }
  const simulator = await faulty({ when, skip: 1, effect: { kind: 'disk-full' } })
  const statuses: unknown[] = []
  for (const master of [7, 5, 5, 7]) {
    statuses.push(await status(simulator), await status(simulator, 'POST', { ...rule, master }))
  }
  expect(statuses).toEqual([200, 201, 200, 201, 200, 500, 200, 201])
  const draw = async (reads: number) => {
    const drawing = await faulty({ probability: 0.5, effect: { kind: 'disk-full' } })
    const drawn: unknown[] = []
    for (let turn = 0; turn < 12; turn++) {
      for (let read = 0; read < reads; read++) await status(drawing)
      drawn.push(await status(drawing, 'POST', rule))
    }
    return drawn
  }
  const drawn = await draw(0)
  expect(new Set(drawn)).toEqual(new Set([201, 500]))
  expect(await draw(1)).toEqual(drawn)
})

test('a store fault applies only to requests that no other fault was played on', async () => {
  const simulator = await faulty({ effect: { kind: 'disk-full' }, times: 1 })
  const { faults, journal } = simulator.control
  faults.add({ when: { method: 'POST' }, effect: { kind: 'lose-answer' }, times: 1 })
  faults.add({ effect: { kind: 'permission-denied' } })
  expect(await status(simulator, 'POST', rule)).toBe('ECONNRESET')
  expect(simulator.control.rules()).toHaveLength(2)
  expect([await status(simulator, 'POST', rule), await status(simulator, 'POST', rule)]).toEqual([500, 500])
  expect(journal.find().map(({ fault }) => fault)).toEqual(['fault-2', 'fault-1', 'fault-3'])
  expect(faults.list()).toMatchObject([{ played: 1 }, { played: 1 }, { matched: 1, played: 1 }])
})

test.for([
  ['before-write', 1],
  ['mid-write', 1],
  ['before-rename', 1],
  ['after-rename', 2],
] as const)('a crash at %s leaves %i rules and sends no response', async ([at, left]) => {
  const simulator = await faulty({ effect: { kind: 'crash', at } }, { dataDir: folder() })
  expect(await status(simulator, 'POST', rule)).toBeTypeOf('string')
  await expect.poll(() => simulator.running).toBe(false)
  simulator.control.faults.clear()
  await simulator.control.restart()
  expect(simulator.control.rules()).toHaveLength(left)
})

test('a torn write leaves a file that cannot be read', async () => {
  const simulator = await faulty({ effect: { kind: 'torn-write' } }, { dataDir: folder() })
  await status(simulator, 'POST', rule)
  await expect.poll(() => simulator.running).toBe(false)
  simulator.control.faults.clear()
  await simulator.control.restart()
  expect(simulator.control.rules()).toEqual([])
  expect((await simulator.rulesFile.read())?.length).toBeGreaterThan(0)
})
