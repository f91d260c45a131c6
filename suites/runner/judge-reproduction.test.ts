import { expect, test } from 'vitest'
import { createSimulator } from '../../simulator/index.ts'
import { expectStatus } from '../assertions/expect.ts'
import { directTransport } from '../client/transport.ts'
import type { PlatformCheck } from '../session/check.ts'
import { expectSuccess as expectCreated } from '../session/platform-expect.ts'
import { judge } from './judge.ts'
import { check, foreign, key, own, parameters } from './judged.test-data.ts'
import { createPlatformContext } from './platform/context.ts'

test('a failed expectation fails, with both sides and the last request as a command', async () => {
  const { context } = await foreign()
  const outcome = await judge(
    check(async ({ plugin }) => {
      await plugin.list()
      expectStatus(await plugin.remove(99), 200)
    }),
    context,
  )
  expect(outcome).toMatchObject({
    status: 'failed',
    message: 'The status is 404, not 200.',
    expected: 'status 200',
    actual: expect.stringContaining('status 404: {"error"'),
    curl: expect.stringContaining('-X DELETE -H "X-API-Key: $TCK_API_KEY"'),
    answer: null,
  })
})

test('the command sends the request whose response is wrong, not a later one', async () => {
  const { context } = await foreign()
  const outcome = await judge(
    check(async ({ plugin }) => {
      const answer = await plugin.remove(99)
      await plugin.list()
      expectStatus(answer, 200)
    }),
    context,
  )
  expect(outcome.curl).toContain('-X DELETE')
})

test('the command sends the creation that failed, even if the check uses an earlier one', async () => {
  const { url } = await foreign({}, ({ method }, response) => {
    response.writeHead(method === 'POST' ? 422 : 404, { 'Content-Type': 'application/json' }).end('{}')
    return true
  })
  const own = { owned: true, group: 'demo', label: 'tck', capabilities: [], safety: null, risk: 'write' } as const
  const spoken = { transport: directTransport, key, secret: null, vendor: 'X', listPaths: ['/v1/accounts'] } as const
  const target = { url, ...spoken, ...own }
  const context = createPlatformContext({
    target,
    timeoutMs: 3_000,
    maxRequestsPerSecond: null,
    secrets: [key],
  })
  const created: PlatformCheck = {
    ...{ id: 'CP-1', requirement: 'r', title: 't', risk: 'write', needs: ['platform'] },
    run: async ({ platform }) => void expectCreated((await platform.sample()).response),
  }
  for (const _ of ['the one that creates it', 'the next']) {
    const { exchanges, curl } = await judge(created, context)
    const statuses = exchanges.flatMap(({ request, response }) => (request.method === 'POST' ? response?.status : []))
    expect(statuses).toEqual([422])
    expect(curl).toMatch(/-X POST .*"Authorization: Bearer \$TCK_PLATFORM_KEY".*trading-accounts/)
  }
})

test('after a request without a response the command sends that request, not the later plain request', async () => {
  const handle = createSimulator({ parameters }).callback()
  const { context } = await foreign({}, (request, response) => {
    if (request.method === 'PUT') request.socket.destroy()
    else handle(request, response)
    return true
  })
  const outcome = await judge(
    check(async ({ plugin }) => {
      await plugin.send({ method: 'PUT', path: '/api/rules' })
    }),
    context,
  )
  expect(outcome.curl).toContain('-X PUT')
})

test('the command derives a wrong key from the right one', async () => {
  const { context } = await own()
  const outcome = await judge(
    check(async ({ plugin, key }) => expectStatus(await plugin.status({ key: `${key}x` }), 200), 'read'),
    context,
  )
  expect(outcome.curl).toContain(`"X-API-Key: $\{TCK_API_KEY}x"`)
})
