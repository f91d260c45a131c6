import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { directTransport } from '../../client/transport.ts'
import { createPlatformContext } from './context.ts'

test('a check begins with one connection, however many the previous check opened', async () => {
  const server = createServer((_, response) => response.end('{}'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close().closeAllConnections())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const spoken = { transport: directTransport, key: 'k', secret: null, vendor: 'X', listPaths: [] } as const
  const reading = {
    risk: 'read',
    owned: false,
    group: null,
    accountTerms: {},
    label: 'tck',
    capabilities: [],
    safety: null,
  } as const
  const target = { url, ...spoken, ...reading }
  const context = createPlatformContext({ target, timeoutMs: 1_000, maxRequestsPerSecond: null, secrets: [] })
  const connections = promisify(server.getConnections.bind(server))
  await Promise.all(Array.from({ length: 3 }, () => context.operations.account()))
  expect(await connections()).toBe(3)
  context.openCheck({ id: 'CP-1', requirement: 'r', title: 't', risk: 'read', run: async () => undefined })
  await expect.poll(connections).toBe(1)
})
