import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { directTransport, simulatorTransport } from '../../client/transport.ts'
import { createEmbeddedDriver } from '../../targets/embedded.ts'
import { contextOf, foreign, others, own, targetAt } from '../judged.test-data.ts'
import { createPluginContext } from './create-context.ts'
import { unguardedSettings } from './settings.ts'

test.for(['stop', 'crash'] as const)(
  'a write right after a %s and a start uses no connection from before',
  async (end) => {
    const key = 'a-key-for-tests'
    const driver = createEmbeddedDriver()
    onTestFinished(() => driver.discardAll())
    const { id, url } = await driver.prepare({ parameters: { API_Key: key }, port: 'given', capacity: null })
    const target = {
      kind: 'simulator',
      transport: simulatorTransport,
      url,
      key,
      server: id,
      capabilities: [],
      capacity: null,
    } as const
    const context = createPluginContext(unguardedSettings(target, 1), driver)
    const { plugin, rules } = context.main
    await context.driver?.start(id, 'ready')
    const lives = 20
    for (let life = 0; life < lives; life += 1) {
      // Several at once, so that several idle connections remain.
      await Promise.all([plugin.status(), plugin.status(), plugin.add(context.draft())])
      await context.driver?.[end](id)
      await context.driver?.start(id, 'ready')
      await plugin.add(context.draft())
    }
    expect(await rules.read()).toHaveLength(2 * lives)
  },
)

test('on a running server too, the rules of a check do not depend on the checks before it', () => {
  const target = { kind: 'url', transport: directTransport, url: 'http://127.0.0.1', key: 'k', server: null } as const
  const draftIn = (...checks: readonly string[]) => {
    const settings = unguardedSettings({ ...target, capabilities: [], capacity: null }, 1)
    const context = createPluginContext(settings, null)
    const drafts = checks.map((id) => {
      context.openCheck({ id, requirement: 'r', title: 't', risk: 'read', run: async () => undefined })
      return context.draft()
    })
    return drafts.at(-1)
  }
  expect(draftIn('CT-1', 'CT-2')).toEqual(draftIn('CT-2'))
  expect(draftIn('CT-1')).not.toEqual(draftIn('CT-2'))
})

test('a check begins with one connection, however many the previous check opened', async () => {
  const server = createServer((_, response) => response.end('{}'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close().closeAllConnections())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const target = { kind: 'url', transport: directTransport, url, key: 'k', server: null, capabilities: [] } as const
  const context = createPluginContext(unguardedSettings({ ...target, capacity: null }, 1), null)
  const connections = promisify(server.getConnections.bind(server))
  await Promise.all([context.main.plugin.status(), context.main.plugin.status(), context.main.plugin.status()])
  expect(await connections()).toBe(3)
  context.openCheck({ id: 'CT-1', requirement: 'r', title: 't', risk: 'read', run: async () => undefined })
  await expect.poll(connections).toBe(1)
})

test('a server that the kit started is sent requests without a rate limit, so that nothing depends on it', async () => {
  const { context } = await own({}, { maxRequestsPerSecond: 0.1 })
  const start = performance.now()
  for (let i = 0; i < 3; i += 1) await context.main.plugin.status()
  expect(performance.now() - start).toBeLessThan(10_000)
})

test('the ledger keeps rules as they are, even if the key resembles a word in them', async () => {
  const key = 'same1'
  const { url } = await foreign({
    parameters: { API_Key: key, ...others },
    // A DELETE also removes the first rule.
    override: ({ removeRule }) => ({ removeRule: (list, index) => removeRule(list, index).slice(1) }),
  })
  const settings = { target: targetAt(url, { key }), secrets: [key], risk: 'write' } as const
  const before = await contextOf(url, settings).main.rules.read()
  const folder = mkdtempSync(join(tmpdir(), 'copytrade-tck-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const ledgerFile = join(folder, 'ledger.jsonl')
  const { main, draft } = contextOf(url, { ...settings, safety: { before, ledgerFile, mostWrites: 100 } })
  const rule = draft({ direction: 'same' })
  await main.plugin.add(rule)
  await expect(main.rules.remove(rule)).rejects.toThrow('removed something else')
  const entries = readFileSync(ledgerFile, 'utf8')
  expect(entries).toMatch(/"event":"lost".*"direction":"same"/)
  expect(entries).not.toContain('[wrong key')
})
