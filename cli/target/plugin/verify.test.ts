import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createSimulator } from '../../../simulator/index.ts'
import { NoResponse } from '../../../suites/client/response.ts'
import { simulatorTransport } from '../../../suites/client/transport.ts'
import type { Rule } from '../../../suites/model/rule.ts'
import { createPluginContext } from '../../../suites/runner/plugin/create-context.ts'
import { unguardedSettings } from '../../../suites/runner/plugin/settings.ts'
import { createShared } from '../../../suites/runner/shared.ts'
import { type LedgerEntry, openLedger } from '../../../suites/safety/ledger.ts'
import { listState } from '../../../suites/safety/list-state.ts'
import { defaultLogins } from '../../../suites/session/logins.ts'
import { codeOfTarget } from '../session.ts'
import { pluginApi } from './api.ts'
import { verifyList } from './verify.ts'

const foreign = { master: 1001, follower: 2001, mode: 'mult', value: 1.5, direction: 'same' }
const before = [{ index: 0, ...foreign }]
const url = 'http://127.0.0.1:1'

const silence = new NoResponse('no response to POST', {} as never)

/** A ledger with its opening. */
function openedLedger(before: readonly Rule[]) {
  const folder = mkdtempSync(join(tmpdir(), 'copytrade-tck-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const ledger = openLedger(join(folder, 'ledger.jsonl'), (text) => text)
  const opening = { schema: 'copytrade-tck/ledger@1', target: url, startedAt: '', logins: defaultLogins } as const
  ledger.append({ event: 'open', ...opening, before })
  return ledger
}

/** The verification of a leased server whose restoration ended with an error after these steps. */
async function afterSteps(entries: readonly LedgerEntry[], error: Error = silence) {
  const ledger = openedLedger(before)
  ledger.append({ event: 'lend', hooks: {}, manual: false, parameters: {}, order: [foreign] })
  for (const entry of entries) ledger.append(entry)
  ledger.close()
  const shape = { kind: 'url', server: null, capabilities: [], capacity: null, key: 'k' } as const
  const context = createPluginContext(unguardedSettings({ ...shape, url, transport: simulatorTransport }, 1), null)
  const live = { restoreServer: () => Promise.reject(error) } as never
  const options = { live, cleanupTimeoutMs: 1_000, redactSecrets: (text: string) => text }
  const harm = await verifyList(context, listState(before), ledger.file, options)
  return { harm, code: codeOfTarget([{ kind: 'url', api: pluginApi }], harm) }
}

const steps = (configured: boolean): LedgerEntry => {
  return { event: 'steps', steps: ['set-parameters', 'restart'], held: [foreign], configured }
}

test.for([
  ['stops answering', silence],
  ['does not list its rules', new Error('no response to POST')],
] as const)('a leased server that %s was not restored, and what it lacks is named', async ([, error]) => {
  const { harm, code } = await afterSteps([steps(true), { event: 'held', rules: [foreign] }], error)
  expect(code).toBe(5)
  expect(harm).toMatchObject({ restored: false, unreachable: false })
  expect(harm.differences).toEqual([
    'the server could not be restored: no response to POST',
    expect.stringContaining('API_Key'),
    expect.stringContaining('1001>2001 mult 1.5 same'),
    expect.stringContaining('copytrade-tck restore --ledger'),
  ])
})

test('a leased server that stops answering with its rules and parameters cannot be reached', async () => {
  const { harm, code } = await afterSteps([steps(false), { event: 'held', rules: [] }])
  expect(code).toBe(4)
  expect(harm.unreachable).toBe(true)
})

test('the ledger keeps rules that are removed after a run as they are, even if the key resembles a word in them', async () => {
  const key = 'same1'
  const logins = [defaultLogins.from, defaultLogins.from + 1] as const
  await using simulator = createSimulator({
    port: 0,
    parameters: { API_Key: key, Copy_1: `${logins.join('>')},mult,2,same` },
  })
  await simulator.start()
  const ledger = openedLedger([])
  ledger.append({ event: 'write', request: 'POST /api/rules', body: '', logins })
  ledger.close()
  const shape = { kind: 'url', server: null, capabilities: [], capacity: null, key } as const
  const settings = unguardedSettings({ ...shape, url: simulator.url, transport: simulatorTransport }, 1)
  const shared = createShared([settings])
  const context = createPluginContext(settings, null, shared)
  const options = { ...shared, live: null, cleanupTimeoutMs: 1_000 }
  await verifyList(context, listState([]), ledger.file, options)
  expect(simulator.rules).toEqual([])
  expect(readFileSync(ledger.file, 'utf8')).toMatch(/"event":"remove".*"direction":"same"/)
})
