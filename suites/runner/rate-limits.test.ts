import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { expectResponse, expectStatus } from '../assertions/expect.ts'
import { runningServerTransport } from '../client/transport.ts'
import { ConcurrentEdit } from '../safety/list-change-errors.ts'
import { responseTo } from '../session/raw-request.ts'
import { judge } from './judge.ts'
import { check, contextOf, foreign, own, targetAt } from './judged.test-data.ts'

const limitsRate = ({ method }: IncomingMessage, response: ServerResponse) => {
  if (method !== 'POST') return false
  response.writeHead(429, { 'Content-Type': 'application/json' }).end('{"error":"Too many requests."}')
  return true
}

test('a rate limit does not hide that another client has changed the list', async () => {
  const { context } = await foreign({}, limitsRate)
  const outcome = await judge(
    check(async ({ plugin, rules }) => {
      await plugin.add(rules.draft())
      throw new ConcurrentEdit('another client changed the list', ['missing: 1>2'])
    }),
    context,
  )
  expect(outcome).toMatchObject({ status: 'blocked', stop: 'interference' })
})

test.each([
  ['accepted', 201],
  ['rejected', 400],
] as const)('a check whose POST gets 429 is blocked, also if the rule should be %s', async (_, expected) => {
  const { context } = await foreign({}, ({ method }, response) => {
    if (method !== 'POST') return false
    response.writeHead(429, { 'Content-Type': 'application/json' }).end('{"error":"Too many requests."}')
    return true
  })
  const outcome = await judge(
    check(async ({ plugin, rules }) => expectStatus(await plugin.add(rules.draft()), expected)),
    context,
  )
  expect(outcome.status).toBe('blocked')
  expect(outcome.message).toContain('lower --max-rps: POST was answered with 429')
})

test('for a server that the kit started, which is never sent requests more slowly, the advice is to end its rate limit', async () => {
  const { context } = await own({
    override: () => ({ finish: (answer, { method }) => (method === 'POST' ? { ...answer, status: 429 } : answer) }),
  })
  const outcome = await judge(
    check(async ({ plugin, rules }) => expectStatus(await plugin.add(rules.draft()), 201)),
    context,
  )
  expect(outcome.status).toBe('blocked')
  expect(outcome.message).toContain('end its rate limit or')
})

/** Lets a reverse proxy respond to this method with 503. */
const limitsByProxy =
  (limited: string) =>
  ({ method }: IncomingMessage, response: ServerResponse) => {
    if (method !== limited) return false
    response.writeHead(503, { 'Content-Type': 'text/html' }).end('<html>503 Service Temporarily Unavailable</html>')
    return true
  }

async function behindProxy(limited: string) {
  const { url } = await foreign({}, limitsByProxy(limited))
  return contextOf(url, { target: targetAt(url, { transport: runningServerTransport }) })
}

test('a check whose POST gets 503 from a reverse proxy that limits requests is blocked', async () => {
  const outcome = await judge(
    check(async ({ plugin, rules }) => expectStatus(await plugin.add(rules.draft()), 201)),
    await behindProxy('POST'),
  )
  expect(outcome.status).toBe('blocked')
  expect(outcome.message).toContain('lower --max-rps: POST was answered with 503')
})

test.each([403, 503])('a check whose POST gets %i in JSON, with the time to try again, is blocked', async (status) => {
  const { context } = await foreign({}, ({ method }, response) => {
    if (method !== 'POST') return false
    response.writeHead(status, { 'Content-Type': 'application/json', 'Retry-After': '1' }).end('{"error":"Too many."}')
    return true
  })
  const outcome = await judge(
    check(async ({ plugin, rules }) => expectStatus(await plugin.add(rules.draft()), 201)),
    context,
  )
  expect(outcome.status).toBe('blocked')
  expect(outcome.message).toContain(`lower --max-rps: POST was answered with ${status}`)
})

test('a check whose raw bytes get 503 from a reverse proxy that limits requests is blocked', async () => {
  const bytes = Buffer.from('PUT /api/rules HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n')
  const outcome = await judge(
    check(async (session) => expectResponse(await responseTo(session, bytes), 405)),
    await behindProxy('PUT'),
  )
  expect(outcome.status).toBe('blocked')
  expect(outcome.message).toContain('lower --max-rps: RAW was answered with 503')
})
