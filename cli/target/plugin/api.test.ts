import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createSimulator, type SimulatorOptions } from '../../../simulator/index.ts'
import { ledgerName, readLedger } from '../../../suites/safety/ledger.ts'
import { resolveRunOptions } from '../../options/run-options.ts'
import { openTarget } from '../session.ts'
import { pluginApi } from './api.ts'

/** A session with a server that has this key, and one rule. */
async function openAt(
  apiKey: string,
  override: SimulatorOptions['override'] = () => ({}),
  signal = new AbortController().signal,
) {
  const parameters = { API_Key: apiKey, Copy_1: '1001>2001,mult,1.5,same' }
  const simulator = createSimulator({ port: 0, parameters, override })
  await simulator.start()
  const out = mkdtempSync(join(tmpdir(), 'copytrade-tck-test-'))
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const flags = { target: simulator.url, apiKey, risk: 'write', yes: true, out } as const
  const options = resolveRunOptions({ ...flags }, {})
  const target = await openTarget([pluginApi], options, signal)
  onTestFinished(async () => {
    await target[Symbol.asyncDispose]()
    vi.restoreAllMocks()
    rmSync(out, { recursive: true, force: true })
    await simulator.stop()
  })
  await target.inspect()
  const session = await target.consent([], { usual: 0, most: 0 })
  return { session, url: simulator.url, opening: readLedger(join(out, ledgerName(simulator.url)))?.opening }
}

test('the ledger names its target even if the address contains a wrong key that a check sends', async () => {
  const { url, opening } = await openAt('127.0.0.1x')
  expect(opening?.target).toBe(url)
})

test('the lines about the list after a run show no key', async () => {
  let mode = {}
  const { session } = await openAt('a-key-for-tests', ({ ruleBody }) => ({
    writtenList: (_, write) => write(),
    ruleBody: (...rule) => ({ ...(ruleBody(...rule) as object), ...mode }),
  }))
  const { harm } = await session.verifyAfter(async () => {
    mode = { mode: 'a-key-for-tests' }
  })
  expect(harm?.interference.join()).toContain('1001>2001 [redacted] 1.5')
  expect(harm?.interference.join()).not.toContain('a-key-for-tests')
})

test('after an interruption no read is sent for the estimate, and no write is announced', async () => {
  let requests = 0
  const counting: SimulatorOptions['override'] = ({ acceptsCredentials }) => ({
    acceptsCredentials: (...given) => {
      requests += 1
      return acceptsCredentials(...given)
    },
  })
  const { session, opening } = await openAt('a-key-for-tests', counting, AbortSignal.abort())
  expect(opening).toBeUndefined()
  expect(process.stdout.write).not.toHaveBeenCalled()
  const inspected = requests
  expect(await session.main.estimateDuration?.(session.plan(pluginApi.cases))).toBeNull()
  expect(requests).toBe(inspected)
  expect(await session.verifyAfter(async () => null)).toMatchObject({ harm: { restored: true } })
})
