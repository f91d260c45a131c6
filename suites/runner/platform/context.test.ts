import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { expectStatus } from '../../assertions/expect.ts'
import { directTransport } from '../../client/transport.ts'
import { type AccountEntry, readAccountLedger } from '../../safety/accounts.ts'
import { openLedger } from '../../safety/ledger.ts'
import type { PlatformCheck } from '../../session/check.ts'
import type { AccountSafety } from '../../targets/target.ts'
import { judge } from '../judge.ts'
import { createPlatformContext } from './context.ts'

/** A foreign platform without a limit on accounts. */
function contextFor(
  url: string,
  {
    key = 'k',
    secret = null as string | null,
    maxRequestsPerSecond = null as number | null,
    safety = null as AccountSafety | null,
  } = {},
) {
  const spoken = { transport: directTransport, key, secret, vendor: 'X', listPaths: [] } as const
  const choice = { group: 'demo', accountTerms: {}, label: 'tck', capabilities: ['disposable-platform'] } as const
  const target = { url, ...spoken, ...choice, risk: 'write', owned: false, safety } as const
  return createPlatformContext({ target, timeoutMs: 2_000, maxRequestsPerSecond, secrets: [] })
}

test('a check begins with one connection, however many the previous check opened', async () => {
  const server = createServer((_, response) => response.end('{}'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close().closeAllConnections())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const context = contextFor(url)
  const connections = promisify(server.getConnections.bind(server))
  await Promise.all(Array.from({ length: 3 }, () => context.session.account()))
  expect(await connections()).toBe(3)
  context.openCheck({ id: 'CP-1', requirement: 'r', title: 't', risk: 'read', run: async () => undefined })
  await expect.poll(connections).toBe(1)
})

test('a request is signed when it is sent, after it has waited for the rate limit', async () => {
  const ages: number[] = []
  const server = createServer(({ headers }, response) => {
    ages.push(Date.now() / 1000 - Number(headers['x-x-timestamp']))
    response.end('{"data":{}}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close().closeAllConnections())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { session } = contextFor(url, { secret: 's', maxRequestsPerSecond: 2 })
  await Promise.all(Array.from({ length: 6 }, () => session.account()))
  // The timestamp is the beginning of its second.
  expect(Math.max(...ages)).toBeLessThan(1.5)
})

test('the ledger names accounts as they are, even if the key resembles a word in their names', async () => {
  const server = createServer((_, response) => response.writeHead(201).end('{}'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close().closeAllConnections())
  const folder = mkdtempSync(join(tmpdir(), 'copytrade-tck-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const ledgerFile = join(folder, 'accounts.jsonl')
  const ledger = openLedger<AccountEntry>(ledgerFile, (text) => text)
  const opening = { event: 'open', schema: 'copytrade-tck/account-ledger@1', startedAt: '' } as const
  ledger.append({ ...opening, target: url, group: 'demo', label: 'tck', mostAccounts: 1 })
  ledger.close()
  const { session } = contextFor(url, { key: 'tck001', safety: { ledgerFile, mostAccounts: 1 } })
  await session.create(session.draft())
  expect(readAccountLedger(ledgerFile)?.created).toEqual(['tck 001'])
})

test('once no more requests may be sent, none reaches the platform', async () => {
  // Nothing listens there.
  const context = contextFor('http://127.0.0.1:1')
  context.sendOnly(0)
  await expect(context.session.account()).rejects.toMatchObject({ name: 'CannotArrange' })
})

test.for([
  { isEverything: true, status: 'blocked', stop: 'unreachable' },
  { isEverything: false, status: 'failed', stop: null },
] as const)(
  'a platform is judged unless something in front of it responds to everything: $isEverything',
  async ({ isEverything, ...expected }) => {
    const server = createServer(({ url }, response) => {
      if (isEverything || url === '/v1/account') response.writeHead(302, { Location: 'https://login.example' }).end()
      else response.writeHead(404, { 'Content-Type': 'application/json' }).end('{"error":{}}')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close().closeAllConnections())
    const context = contextFor(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    const run: PlatformCheck['run'] = async (platform) => expectStatus(await platform.account(), 200)
    const outcome = await judge({ id: 'CP-1', requirement: 'r', title: 't', risk: 'read', run }, context)
    expect(outcome).toMatchObject(expected)
    if (isEverything) expect(outcome.message).toContain('GET /v1/account is answered with 302')
  },
)

/** A platform that ends at a POST, the first times, and is started again soon afterwards. */
async function startCrashing(crashes: number): Promise<string> {
  let left = crashes
  const server = createServer(({ method }, response) => {
    if (method !== 'POST' || left === 0) return void response.end('{"data":{}}')
    left -= 1
    server.close().closeAllConnections()
    setTimeout(() => server.listen(port, '127.0.0.1'), 300)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  onTestFinished(() => void server.close().closeAllConnections())
  return `http://127.0.0.1:${port}`
}

const creation: PlatformCheck = {
  ...{ id: 'CP-1', requirement: 'r', title: 't', risk: 'write', creates: 1 },
  run: async (platform) => void (await platform.create(platform.draft())),
}
const dependent: PlatformCheck = { ...creation, id: 'CP-2', run: async (platform) => void (await platform.created()) }
const sample: PlatformCheck = { ...creation, id: 'CP-3', run: async (platform) => void (await platform.sample()) }

test('a platform that crashes at each creation and is started again has failed', async () => {
  const context = contextFor(await startCrashing(99))
  expect(await judge(creation, context)).toMatchObject({ status: 'failed', code: 'response.missing', stop: null })
  expect(await judge(dependent, context)).toMatchObject({ status: 'blocked', stop: null })
  expect(await judge(sample, context)).toMatchObject({ status: 'failed', code: 'response.missing' })
})

test('a platform that was started again once has not failed', async () => {
  const context = contextFor(await startCrashing(1))
  expect(await judge(creation, context)).toMatchObject({ status: 'blocked', stop: null })
  expect(await judge(creation, context)).toMatchObject({ status: 'passed' })
})
