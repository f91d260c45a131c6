import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { SimulatorOptions } from '../../../simulator/index.ts'
import { judgeServer } from '../../../test/judge-server.ts'
import { ownServerCapabilities } from '../../session/check.ts'
import { createEmbeddedDriver } from '../../targets/embedded.ts'

/** The first of two simultaneous additions gets a response without an object, the second one a slow response. */
const wrongThenSlow: SimulatorOptions['override'] = ({ addedBody, save }) => {
  let additions = 0
  return {
    addedBody: (rule, index) => (index === 3 ? [] : addedBody(rule, index)),
    save: async (write, change) => {
      additions += 1
      if (additions > 4) await pause(100)
      await save(write, change)
    },
  }
}

test('a wrong response during a burst ends the check only when the other client has stopped', async () => {
  const driver = createEmbeddedDriver({ capacity: 64, override: wrongThenSlow })
  const calls: string[] = []
  const watch =
    (name: 'crash' | 'discard') =>
    async (id: string): Promise<void> => {
      calls.push(name)
      await driver[name](id)
    }
  const outcomes = await judgeServer({
    driver: { ...driver, crash: watch('crash'), discard: watch('discard') },
    capabilities: ownServerCapabilities,
    capacity: null,
    ...{ only: ['CT-972'], seed: 2 },
  })
  expect(outcomes.find(({ check }) => check === 'CT-972')).toMatchObject({ status: 'failed', code: 'body.not-object' })
  expect(calls).toEqual(['crash', 'discard'])
})
