import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createSimulator } from '../../simulator/index.ts'
import { expectEqual } from '../assertions/expect.ts'
import { OutOfScope } from '../assertions/failure.ts'
import { directTransport } from '../client/transport.ts'
import type { Check, Observation } from '../session/check.ts'
import type { Session } from '../session/session.ts'
import { createEmbeddedDriver } from '../targets/embedded.ts'
import { judge } from './judge.ts'
import { createPluginContext } from './plugin/create-context.ts'
import { unguardedSettings } from './plugin/settings.ts'

/** A server that accepts connections and never responds. */
async function startHanging(): Promise<string> {
  const server = createServer(() => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function contextFor(
  url: string,
  server: string | null,
  onStart: () => void | Promise<void> = () => {},
  timeoutMs = 100,
) {
  const target = {
    kind: 'url',
    transport: directTransport,
    url,
    key: 'k-for-tests',
    server,
    capabilities: [],
    capacity: null,
  } as const
  // A driver whose restarts change nothing.
  const driver = {
    ...createEmbeddedDriver(),
    crash: async () => {},
    deleteRulesFile: async () => {},
    start: async () => {
      await onStart()
      return true
    },
  }
  return createPluginContext({ ...unguardedSettings(target, 1), timeoutMs }, server === null ? null : driver)
}

const usual: Check = {
  ...{ id: 'CT-1', requirement: 'r', title: 't', risk: 'read' },
  run: async ({ plugin }) => void (await plugin.send({ method: 'GET', path: '/api/odd' })),
}
const last: Check = { ...usual, id: 'CT-2', reportsSilence: true }

/** A server that hangs at the first requests to a path and answers all others. */
async function startSlow(hangs: number): Promise<string> {
  let left = hangs
  const server = createServer((request, response) => {
    if (request.url === '/api/odd' && left-- > 0) return
    response.end('{"rules":[],"total":0}')
  })
  // Keeps a connection open after the client ended its side.
  Object.assign(server, { httpAllowHalfOpen: true })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('a timeout of a server that answers other requests is a failure only if it happens again', async () => {
  expect(await judge(usual, contextFor(await startSlow(1), 'own'))).toMatchObject({
    status: 'blocked',
    message: expect.stringContaining('no response in time'),
  })
  expect(await judge(usual, contextFor(await startSlow(9), 'own'))).toMatchObject({
    status: 'failed',
    code: 'response.missing',
    actual: expect.stringContaining('took too long'),
  })
})

const raw: Check = {
  ...usual,
  async run(session) {
    const bytes = Buffer.from('GET /api/odd HTTP/1.1\r\nHost: a\r\n\r\n')
    const { responses } = await session.raw({ bytes, responses: 1 })
    expectEqual('list.length-wrong', responses.length, 1)
  },
}

test('raw bytes without a response in time are a failure only if it happens again', async () => {
  expect(await judge(raw, contextFor(await startSlow(1), 'own'))).toMatchObject({ status: 'blocked' })
  expect(await judge(raw, contextFor(await startSlow(9), 'own'))).toMatchObject({ status: 'failed' })
})

test('a missing response to bytes that need none does not excuse a later failure', async () => {
  let runs = 0
  const attack: Check = {
    ...usual,
    async run(session) {
      runs += 1
      await session.raw({
        bytes: Buffer.from('GET /api/odd HTTP/1.1\r\nHost: a\r\n\r\n'),
        responses: 1,
        endAfter: true,
      })
      expectEqual('list.length-wrong', runs, 2)
    },
  }
  expect(await judge(attack, contextFor(await startSlow(9), 'own'))).toMatchObject({ status: 'failed' })
})

test('a server that hangs after raw bytes has failed, even if it responds after a restart', async () => {
  let lives = 0
  let hangs = false
  const server = createServer((request, response) => {
    hangs ||= request.url === '/api/odd' && lives === 0
    if (!hangs) response.end('{"rules":[],"total":0}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const startAgain = () => {
    lives += 1
    hangs = false
  }
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { status, code } = await judge({ ...raw, risk: 'write' }, contextFor(url, 'own', startAgain))
  expect({ status, code }).toEqual({ status: 'failed', code: 'list.length-wrong' })
  expect(lives).toBeGreaterThan(0)
})

test('if a running target hangs, only the check for hangs fails, and it names the request', async () => {
  const context = contextFor(await startHanging(), null)
  expect(await judge(usual, context)).toMatchObject({ status: 'blocked', stop: 'unreachable' })
  expect(await judge(usual, context)).toMatchObject({ status: 'blocked', exchanges: [] })
  const { status, code, message } = await judge(last, context)
  expect({ status, code }).toEqual({ status: 'failed', code: 'server.stopped-answering' })
  expect(message).toMatch(/stopped answering after GET http:.*\/api\/odd/)
})

test('a server of the kit is restarted after it hangs, and given up after three checks in a row', async () => {
  const context = contextFor(await startHanging(), 'own')
  for (const _ of [1, 2]) expect(await judge(usual, context)).toMatchObject({ code: 'server.died', stop: null })
  expect(await judge(usual, context)).toMatchObject({ status: 'blocked', stop: 'unreachable' })
  expect(await judge(last, context)).toMatchObject({ status: 'failed', code: 'server.stopped-answering' })
})

/** A server of the kit's own that ends at one request of the clean-up, until it is started again. */
async function startEndingAtCleanUp(method: string, isAlive = false) {
  const { key } = contextFor('http://127.0.0.1', null).settings.target
  const handle = createSimulator({ parameters: { API_Key: key } }).callback()
  let isDue = false
  const server = createServer((request, response) => {
    if (!isDue || request.method !== method) return handle(request, response)
    isDue = false
    if (isAlive) return request.socket.destroy()
    server.close().closeAllConnections()
  })
  const listen = async () => {
    if (!server.listening) await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  }
  let port = 0
  await listen()
  port = (server.address() as AddressInfo).port
  onTestFinished(() => void server.close().closeAllConnections())
  const context = contextFor(`http://127.0.0.1:${port}`, 'own', listen, 5_000)
  const adding: Check = {
    ...{ ...usual, risk: 'write' },
    async run({ rules }) {
      await rules.arrange(1)
      isDue = true
    },
  }
  return { context, adding }
}

test.for(['GET', 'DELETE'])('a server that ends at a %s of the clean-up has failed', async (method) => {
  const { context, adding } = await startEndingAtCleanUp(method)
  const { status, code, exchanges, decidedBy } = await judge(adding, context)
  expect({ status, code }).toEqual({ status: 'failed', code: 'server.died' })
  expect(exchanges.find(({ id }) => id === decidedBy)).toMatchObject({ request: { method }, response: null })
  expect(await judge(usual, context), 'it was started again').toMatchObject({ status: 'passed' })
})

test('a check without a result does not hide that the server ended at the clean-up', async () => {
  const { context, adding } = await startEndingAtCleanUp('DELETE')
  const run = async (session: Session) => {
    await adding.run(session)
    throw new OutOfScope('the list is full')
  }
  expect(await judge({ ...adding, run }, context)).toMatchObject({ status: 'failed', code: 'server.died' })
})

test('an observation is blocked if the server ended at the clean-up after it', async () => {
  const { context, adding } = await startEndingAtCleanUp('DELETE')
  const run = async (session: Session) => {
    await adding.run(session)
    return { answer: 'a', seen: '' }
  }
  const observation: Observation = { id: 'CQ-1', question: 'q', title: 't', risk: 'write', run }
  expect(await judge(observation, context)).toMatchObject({ status: 'blocked', answer: null })
})

test('a check passes if a response to the clean-up is lost and the server answers other requests', async () => {
  for (const method of ['GET', 'DELETE']) {
    const { context, adding } = await startEndingAtCleanUp(method, true)
    expect(await judge(adding, context)).toMatchObject({ status: 'passed' })
  }
})
