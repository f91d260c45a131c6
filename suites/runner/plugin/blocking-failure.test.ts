import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createSimulator, type SimulatorOptions } from '../../../simulator/index.ts'
import { Dropped, ErrorResponse } from '../../../simulator/server/response.ts'
import { directTransport } from '../../client/transport.ts'
import type { Check } from '../../session/check.ts'
import type { Session } from '../../session/session.ts'
import { judge } from '../judge.ts'
import { createPluginContext } from './create-context.ts'
import { unguardedSettings } from './settings.ts'

const key = 'a-key-for-tests'

/** A context for a simulator; `server` is null for a foreign one. */
async function open(options: SimulatorOptions, server: string | null = 'own') {
  const simulator = createSimulator({ port: 0, parameters: { API_Key: key }, ...options })
  await simulator.start()
  const { url } = simulator
  const target = {
    ...({ kind: 'exec', url, key, server } as const),
    ...{ transport: directTransport, capabilities: [], capacity: null },
  } as const
  const context = createPluginContext({ ...unguardedSettings(target, 1), timeoutMs: 1_000 }, null)
  const run = (work: (session: Session) => Promise<void>) => judge(checkOf(work), context)
  return { run, context, [Symbol.asyncDispose]: () => simulator.stop() }
}

function checkOf(run: Check['run']): Check {
  return { id: 'CT-1', requirement: 'r', title: 't', risk: 'write', run }
}

/** The third rule and later ones get an error. */
const rejectsThird: SimulatorOptions = {
  override: ({ judgeRule, methodNotAllowed }) => ({
    judgeRule: (rule, rules) => (rules.length > 1 ? methodNotAllowed([]) : judgeRule(rule, rules)),
  }),
}

const dropsLongList: SimulatorOptions = {
  override: ({ listBody }) => ({
    listBody: (rules) => {
      if (rules.length > 1) throw new Dropped()
      return listBody(rules)
    },
  }),
}

const arrangeThree = async ({ rules }: Session) => void (await rules.arrange(3))

test('an ordinary rule that is rejected is a failure of the server, and the check itself is blocked', async () => {
  await using server = await open(rejectsThird)
  const outcome = await server.run(arrangeThree)
  expect(outcome.status).toBe('blocked')
  expect(server.context.seen().blockingFailure).toMatchObject({
    code: 'response.status-not-201',
    data: { actual: 405 },
  })
})

test('a dropped connection is a failure of the server too', async () => {
  await using server = await open(dropsLongList)
  const outcome = await server.run(arrangeThree)
  expect(outcome.status).toBe('failed')
  expect(server.context.seen().blockingFailure).toMatchObject({ code: 'response.missing' })
})

test('a rejection after a request that is not ordinary does not count', async () => {
  await using server = await open(rejectsThird)
  const outcome = await server.run(async (session) => {
    await session.plugin.send({ method: 'PUT', path: '/api/rules' })
    await arrangeThree(session)
  })
  expect(outcome.status).toBe('blocked')
  expect(server.context.seen().blockingFailure).toBeNull()
})

test('a missing response while another request is open does not count', async () => {
  const oneAtATime: SimulatorOptions = {
    override: ({ save }) => ({
      serialise: (mutex, change) => {
        if (mutex.isLocked()) throw new Dropped()
        return mutex.runExclusive(change)
      },
      save: async (write, change) => {
        await pause(50)
        await save(write, change)
      },
    }),
  }
  await using server = await open(oneAtATime)
  const outcome = await server.run(async ({ plugin, rules }) => {
    await Promise.all([plugin.add(rules.draft()), plugin.add(rules.draft())])
  })
  expect(outcome).toMatchObject({ status: 'failed', code: 'response.missing' })
  expect(server.context.seen().blockingFailure).toBeNull()
})

test('a full list does not count', async () => {
  await using server = await open({ capacity: 2 })
  const outcome = await server.run(arrangeThree)
  expect(outcome.status).toBe('out-of-scope')
  expect(server.context.seen().blockingFailure).toBeNull()
})

test('a rate limit does not count', async () => {
  const limits: SimulatorOptions = {
    override: () => ({
      judgeRule: () => {
        throw new ErrorResponse(429, 'Too many requests.')
      },
    }),
  }
  await using server = await open(limits)
  const outcome = await server.run(arrangeThree)
  expect(outcome.status).toBe('blocked')
  expect(server.context.seen().blockingFailure).toBeNull()
})

test('a connection to a foreign server that breaks once does not count', async () => {
  // A GET on a reused connection is sent again.
  let reads = 0
  const dropsOnce: SimulatorOptions = {
    override: ({ listBody }) => ({
      listBody: (rules) => {
        if (rules.length > 0) reads += 1
        if (reads === 1 || reads === 2) throw new Dropped()
        return listBody(rules)
      },
    }),
  }
  await using server = await open(dropsOnce, null)
  const outcome = await server.run(async ({ rules }) => void (await rules.arrange(1)))
  expect(outcome).toMatchObject({ status: 'blocked', message: expect.stringContaining('the network may be to blame') })
  expect(server.context.seen().blockingFailure).toBeNull()
})
