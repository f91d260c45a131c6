import { expect, onTestFinished, test } from 'vitest'
import { createSimulator } from '../../simulator/index.ts'
import { directTransport } from '../client/transport.ts'
import type { Check } from '../session/check.ts'
import { judgedBy } from './define-api.ts'
import { createPluginContext } from './plugin/context.ts'
import { unguardedSettings } from './plugin/settings.ts'
import { runPlan, runPlanned } from './run-plan.ts'

const key = 'a-key-for-tests'

/** A foreign server whose list a check has filled, and which ends before the next check. */
async function endedWhileFull() {
  const simulator = createSimulator({ port: 0, parameters: { API_Key: key } })
  await simulator.start()
  onTestFinished(() => simulator.stop())
  const target = {
    kind: 'url',
    transport: directTransport,
    url: simulator.url,
    key,
    server: null,
    capabilities: [],
    capacity: null,
  } as const
  const context = createPluginContext(unguardedSettings(target, 1), null)
  context.before = await context.main.rules.read()
  context.filler.push(context.draft())
  await simulator.stop()
  return context
}

const checkOf = (id: string): Check => ({
  id,
  requirement: 'r',
  title: 't',
  risk: 'read',
  run: async ({ plugin }) => void (await plugin.status()),
})

const planOf = (...ids: readonly string[]) => ids.map((id) => ({ id, outOfScope: null }))

test('a check before which the list cannot be cleaned up is an error, and does not end the run', async () => {
  const context = await endedWhileFull()
  const [planned] = planOf('CT-1')
  if (planned === undefined) throw new Error('the plan is empty')
  expect(await runPlanned(planned, [judgedBy([checkOf('CT-1')], context)])).toMatchObject({
    check: 'CT-1',
    status: 'error',
    message: expect.stringContaining('cleaning up before the check failed: '),
  })
})

test('the checks after it are judged', async () => {
  const context = await endedWhileFull()
  const outcomes = await runPlan(planOf('CT-1', 'CT-2'), [checkOf('CT-1'), checkOf('CT-2')], context)
  expect(outcomes.map(({ check, status, stop }) => [check, status, stop])).toEqual([
    ['CT-1', 'error', null],
    ['CT-2', 'blocked', 'unreachable'],
  ])
})
