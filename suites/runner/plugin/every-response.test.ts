import { expect, test } from 'vitest'
import { createSimulator, type SimulatorOptions } from '../../../simulator/index.ts'
import type { Hooks } from '../../../simulator/plugin/hooks/hooks.ts'
import { FailedExpectation } from '../../assertions/failure.ts'
import type { PluginRequest } from '../../session/plugin.ts'
import type { Seen } from '../../session/session.ts'
import { judge } from '../judge.ts'
import { check, key, targetAt } from '../judged.test-data.ts'
import { createPluginContext } from './create-context.ts'
import { unguardedSettings } from './settings.ts'

async function open(options: SimulatorOptions = {}, server: string | null = 'own') {
  const simulator = createSimulator({ port: 0, apiKey: key, ...options })
  await simulator.start()
  const target = targetAt(simulator.url, { kind: 'exec', server })
  const context = createPluginContext(unguardedSettings(target, 1), null)
  return { ...context.main, context, [Symbol.asyncDispose]: () => simulator.stop() }
}

/** Errors are `{ message }`. */
const otherForm = { override: () => ({ errorBody: (message: string) => ({ message }) }) } satisfies SimulatorOptions
const malformed = { bytes: Buffer.from('GET HTTP\r\n\r\n'), responses: 1 }

test('an error response of another form is reported with its request', async () => {
  await using server = await open(otherForm)
  await server.plugin.status()
  expect(server.context.seen().malformedError ?? null).toBeNull()
  await server.plugin.send({ method: 'PUT', path: '/api/status' })
  expect(server.context.seen().malformedError).toMatchObject({
    code: 'error.text-missing',
    data: { difference: { status: 405, body: 'missing' } },
    actual: expect.stringMatching(/^405 to PUT \/api\/status: \{"message":".*"\}$/),
    exchange: { request: { method: 'PUT' } },
  })
})

test('the error responses of a conforming server and responses to HEAD are not reported', async () => {
  await using server = await open()
  await server.plugin.status({ key: null })
  await server.plugin.send({ method: 'HEAD', path: '/api/unknown' })
  await server.raw({ bytes: Buffer.from('HEAD /api/unknown HTTP/1.1\r\nHost: a\r\n\r\n'), responses: 1 })
  await server.raw(malformed)
  expect(server.context.seen().malformedError ?? null).toBeNull()
})

test('the response to malformed HTTP is judged if there is no proxy before the server', async () => {
  await using own = await open(otherForm)
  await own.raw(malformed)
  expect(own.context.seen().malformedError).toMatchObject({
    actual: expect.stringMatching(/^400 to the raw bytes GET HTTP: \{"message":".*"\}$/),
  })
  await using foreign = await open(otherForm, null)
  await foreign.raw(malformed)
  expect(foreign.context.seen().malformedError ?? null).toBeNull()
})

test('the form of a 413 is not judged if there may be a proxy before the server', async () => {
  const post: PluginRequest = { method: 'POST', path: '/api/rules', body: 'x'.repeat(70_000) }
  const options: SimulatorOptions = {
    override: () => ({ ...otherForm.override(), bodyLimitBytes: 65_536 }),
    profile: { 'plugin.body.size-limit': '413' },
  }
  await using own = await open(options)
  await own.plugin.send(post)
  expect(own.context.seen().malformedError).toBeInstanceOf(FailedExpectation)
  await using foreign = await open(options, null)
  await foreign.plugin.send(post)
  expect(foreign.context.seen().malformedError ?? null).toBeNull()
})

test.for([429, 502, 503, 504, 524])(
  'the form of a %i is not judged if a proxy before the server may have sent it',
  async (status) => {
    const options: SimulatorOptions = {
      override: () => ({ ...otherForm.override(), finish: (answer) => ({ ...answer, status }) }),
    }
    await using own = await open(options)
    await own.plugin.status({ key: null })
    expect(own.context.seen().malformedError).toBeInstanceOf(FailedExpectation)
    await using foreign = await open(options, null)
    await foreign.plugin.status({ key: null })
    expect(foreign.context.seen().malformedError ?? null).toBeNull()
  },
)

test('an error response to an earlier check is evidence of the check that fails because of it', async () => {
  await using server = await open(otherForm)
  const earlier = check(async ({ plugin }) => void (await plugin.send({ method: 'PUT', path: '/api/status' })))
  await judge(earlier, server.context)
  const outcome = await judge(
    check(async ({ rules, throwSeen }) => {
      await rules.arrange(1)
      throwSeen('malformedError')
    }),
    server.context,
  )
  expect(outcome.code).toBe('error.text-missing')
  expect(outcome.exchanges.find(({ id }) => id === outcome.decidedBy)).toMatchObject({
    request: { method: 'PUT' },
    response: { status: 405 },
  })
  expect(outcome.curl).toMatch(/^curl [^\n]*-X PUT[^\n]*$/)
})

type Wrong = (hooks: Hooks, isWrong: () => boolean) => Partial<Hooks>

/** By finding: its failure, and a server that is wrong for a while. */
const wrongForAWhile: readonly (readonly [keyof Seen, string, Wrong])[] = [
  [
    'wrongTotal',
    'list.total-wrong',
    ({ listBody }, isWrong) => ({ listBody: (rules) => (isWrong() ? { rules, total: 9 } : listBody(rules)) }),
  ],
  [
    'unsuccessfulChange',
    'body.success-not-true',
    ({ removedBody }, isWrong) => ({ removedBody: () => (isWrong() ? { success: false } : removedBody()) }),
  ],
  [
    'wrongMediaType',
    'header.content-type-not-json',
    ({ bodyHeaders }, isWrong) => ({
      bodyHeaders: () => (isWrong() ? { 'Content-Type': 'text/plain' } : bodyHeaders()),
    }),
  ],
]

test.for(wrongForAWhile)('the finding %s stays, even if later responses are right', async ([kind, code, wrong]) => {
  let isWrong = false
  const override = (hooks: Hooks) => wrong(hooks, () => isWrong)
  await using server = await open({ override })
  const request = async () => {
    const draft = server.rules.draft()
    await server.rules.add(draft)
    await server.rules.read()
    await server.rules.remove(draft)
  }
  await request()
  expect(server.context.seen()[kind] ?? null).toBeNull()
  isWrong = true
  await request()
  isWrong = false
  await request()
  expect(server.context.seen()[kind]).toMatchObject({ code, exchange: {} })
})

test('error responses of a disabled API are not judged', async () => {
  await using server = await open(otherForm)
  server.context.setDisabled(server.context.settings.target.url, true)
  await server.plugin.status({ key: null })
  expect(server.context.seen().malformedError ?? null).toBeNull()
})
