import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createSimulator } from '../../../simulator/index.ts'
import { ledgerName, readLedger } from '../../../suites/safety/ledger.ts'
import { resolveRunOptions } from '../../options/run-options.ts'
import { openTarget } from '../session.ts'
import { pluginApi } from './api.ts'

/** The opening ledger entry of a session with a server that has this key. */
async function openingAt(apiKey: string) {
  const simulator = createSimulator({ port: 0, apiKey })
  await simulator.start()
  const out = mkdtempSync(join(tmpdir(), 'copytrade-tck-test-'))
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  onTestFinished(async () => {
    vi.restoreAllMocks()
    rmSync(out, { recursive: true, force: true })
    await simulator.stop()
  })
  const flags = { target: simulator.url, apiKey, risk: 'write', yes: true, out } as const
  const options = resolveRunOptions({ ...flags }, {})
  await using target = await openTarget([pluginApi], options, new AbortController().signal)
  await target.inspect()
  await target.consent([], { usual: 0, most: 0 })
  return { url: simulator.url, opening: readLedger(join(out, ledgerName(simulator.url)))?.opening }
}

test('the ledger names its target even if the address contains a wrong key that a check sends', async () => {
  const { url, opening } = await openingAt('127.0.0.1x')
  expect(opening?.target).toBe(url)
})
