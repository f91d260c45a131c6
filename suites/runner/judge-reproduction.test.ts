import { expect, onTestFinished, test } from 'vitest'
import { runShellScript } from '../../fixtures/shell-script.ts'
import { createSimulator } from '../../simulator/index.ts'
import { pluginDefects } from '../../simulator/plugin/defects/index.ts'
import { expectStatus, expectUnchanged } from '../assertions/expect.ts'
import { directTransport } from '../client/transport.ts'
import type { PlatformCheck } from '../session/check.ts'
import { expectSuccess as expectCreated } from '../session/platform-expect.ts'
import { createEmbeddedDriver, type SimulatorSettings } from '../targets/embedded.ts'
import { judge } from './judge.ts'
import { check, foreign, key, others, own, parameters } from './judged.test-data.ts'
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
  const own = {
    owned: true,
    group: 'demo',
    accountTerms: {},
    label: 'tck',
    capabilities: [],
    safety: null,
    risk: 'write',
  } as const
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
    run: async (platform) => void expectCreated((await platform.sample()).response),
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

/** Runs the script against a server of the kit. Returns its exit code and its output. */
async function runScript(script = '', settings: SimulatorSettings = {}, copies = others) {
  const driver = createEmbeddedDriver(settings)
  onTestFinished(() => driver.discardAll())
  const { id, url } = await driver.prepare({ parameters: { ...copies, API_Key: key }, port: 'given', capacity: null })
  await driver.start(id, 'ready')
  return runShellScript(script, url, key)
}

test('the script of a failure shows it, and reports a server without the failure or in another state', async () => {
  const [defect] = pluginDefects.filter(({ id }) => id === 'delete.moves-last-into-gap')
  const wrong = defect === undefined ? {} : { override: defect.override }
  const { context } = await own(wrong)
  const { curl, script } = await judge(
    check(async ({ plugin, rules }) => {
      await rules.arrange(3)
      const before = await rules.read()
      await plugin.remove(2)
      const expected = before.toSpliced(2, 1).map((rule, index) => ({ ...rule, index }))
      expectUnchanged(await rules.read(), expected, 'list.changed')
    }),
    context,
  )
  expect(curl).toBeNull()
  expect(script).not.toContain(key)
  expect(await runScript(script, wrong)).toMatchObject({
    code: 1,
    printed: expect.stringMatching(/^The fault is shown/),
  })
  expect(await runScript(script)).toMatchObject({ code: 0, printed: expect.stringMatching(/^The fault is not shown/) })
  expect(await runScript(script, wrong, { ...others, Copy_2: '7>8,mult,1,same' })).toEqual({
    code: 2,
    printed: 'not in the state that this needs: the list is 1001>2001 7>8 = 200, not 1001>2001 1002>2002\n',
  })
})

test('the script cannot judge if a step gets another response', async () => {
  const { context } = await own()
  const { script } = await judge(
    check(async ({ plugin, rules }) => {
      await rules.arrange(2)
      expectStatus(await plugin.remove(99), 200)
    }),
    context,
  )
  expect(await runScript(script, { capacity: 3 })).toMatchObject({ code: 2, printed: expect.stringMatching(/^not in/) })
})
