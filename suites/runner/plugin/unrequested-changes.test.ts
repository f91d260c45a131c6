import { expect, test } from 'vitest'
import { createSimulator, type SimulatorOptions } from '../../../simulator/index.ts'
import { directTransport } from '../../client/transport.ts'
import { judge } from '../judge.ts'
import { check } from '../judged.test-data.ts'
import { createPluginContext } from './create-context.ts'
import { unguardedSettings } from './settings.ts'

const key = 'a-key-for-tests'
const parameters = { API_Key: key, Copy_1: '1001>2001,2002,2003,mult,1.5,same' }

/** A context for a simulator that counts as started by the kit. */
async function open(options: SimulatorOptions = {}) {
  const simulator = createSimulator({ port: 0, parameters, ...options })
  await simulator.start()
  const { url } = simulator
  const target = {
    kind: 'exec',
    transport: directTransport,
    url,
    key,
    server: 'own',
    capabilities: [],
    capacity: null,
  } as const
  const context = createPluginContext(unguardedSettings(target, 1), null)
  return { ...context.main, context, [Symbol.asyncDispose]: () => simulator.stop() }
}

/** GET of a single rule removes the first rule. */
const getRemoves: SimulatorOptions = {
  override: ({ listBody }) => {
    let times = 0
    return {
      finish: (response, { method, url = '' }) => {
        if (method === 'GET' && url.startsWith('/api/rules/')) times += 1
        return response
      },
      writtenList: (_, write) => write(),
      listBody: (rules) => listBody(rules.slice(times)),
    }
  },
}

test('a change between two lists with only a GET in between is reported with the GET', async () => {
  await using server = await open(getRemoves)
  await server.rules.read()
  await server.plugin.send({ method: 'GET', path: '/api/rules/0' })
  expect(server.context.seen().unrequestedChange).toBeNull()
  await server.rules.read()
  expect(server.context.seen().unrequestedChange).toMatchObject({
    code: 'list.changed-unrequested',
    message: expect.stringContaining('GET /api/rules/0 (405)'),
  })
})

test('a change after an earlier check can be reproduced from its requests', async () => {
  await using server = await open(getRemoves)
  const earlier = check(async ({ plugin, rules }) => {
    await rules.read()
    await plugin.send({ method: 'GET', path: '/api/rules/0', headers: { 'X-Note': 'remove' } })
    await rules.read()
  })
  await judge(earlier, server.context)
  const outcome = await judge(
    check(async ({ rules, throwSeen }) => {
      await rules.read()
      throwSeen('unrequestedChange')
    }),
    server.context,
  )
  expect(outcome.code).toBe('list.changed-unrequested')
  expect(outcome.script).toMatch(/X-Note: remove.*\/api\/rules\/0/)
  expect(outcome.curl).toBeNull()
})

test('the request that succeeded is named, not those that were rejected after it', async () => {
  await using server = await open({
    override: (hooks) => ({
      ...getRemoves.override?.(hooks),
      methodsOf: (name) => (name === 'rule' ? new Map([['GET', 'read-status']]) : hooks.methodsOf(name)),
    }),
  })
  const { plugin, rules, context } = server
  await rules.read()
  await plugin.send({ method: 'GET', path: '/api/rules/0' })
  for (const path of ['/a', '/b', '/c', '/d']) await plugin.send({ method: 'GET', path })
  await rules.read()
  expect(context.seen().unrequestedChange?.message).toMatch(/^After GET \/api\/rules\/0 \(200\): /)
})

test('a read with another spelling of its path or a redirect does not hide a rejected request', async () => {
  await using server = await open({ ...getRemoves, profile: { 'plugin.path.trailing-slash': 'redirected' } })
  const { plugin, rules, context } = server
  await rules.read()
  for (const path of ['/api/status/', '/api/rules/0']) await plugin.send({ method: 'GET', path })
  await plugin.send({ method: 'OPTIONS', path: '/api/rules' })
  await rules.read()
  expect(context.seen().unrequestedChange?.message).toContain('GET /api/rules/0 (405)')
})

test('additions, removals and rejected requests of a conforming server are not reported', async () => {
  await using server = await open()
  const { plugin, rules, context } = server
  const [rule] = await rules.arrange(1)
  await plugin.add({ ...rules.draft(), value: 0 })
  await rules.read()
  await rules.remove(rule)
  await plugin.send({ method: 'PUT', path: '/api/rules' })
  await rules.read()
  await Promise.all([plugin.add(rules.draft()), rules.read(), plugin.list()])
  await rules.read()
  expect(context.seen().unrequestedChange).toBeNull()
})

test('a list that was read during a removal is not compared', async () => {
  await using server = await open()
  const { plugin, rules, context } = server
  const rest = await rules.arrange(20)
  for (const rule of rest) {
    await Promise.all([rules.remove(rule), rules.read()])
    await rules.read()
    await Promise.all([rules.read(), plugin.add(rules.draft())])
    await rules.read()
  }
  expect(context.seen().unrequestedChange).toBeNull()
})

test('after a change without a response the list may change until the next check', async () => {
  await using server = await open(getRemoves)
  const { plugin, rules, raw, context } = server
  const half = Buffer.from('POST /api/rules HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{')
  await raw({ bytes: half, responses: 1, meanwhile: async () => {} })
  await rules.read()
  await plugin.send({ method: 'GET', path: '/api/rules/0' })
  await rules.read()
  expect(context.seen().unrequestedChange).toBeNull()
  context.openCheck({ id: 'CT-1', requirement: 'plugin.none', title: 'A check', risk: 'read', run: async () => {} })
  await rules.read()
  await plugin.send({ method: 'GET', path: '/api/rules/0' })
  await rules.read()
  expect(context.seen().unrequestedChange).not.toBeNull()
})
