import { createServer, request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import axios from 'axios'
import got from 'got'
import nock from 'nock'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { SimulatorOptions } from '../index.ts'
import { key, ruleText, withKey } from '../testing/client.ts'
import { type AnsweredOrigin, answerOrigin } from './nock.ts'

const origin = 'https://plugin.example:8443'

function answered(options: SimulatorOptions = {}, at = origin): AnsweredOrigin {
  const answering = answerOrigin(at, { apiKey: key, ...options })
  onTestFinished(answering.restore)
  return answering
}

/** Sends one request with a client library; returns the status and the value of `Allow`. */
type Ask = (method: string, url: string, body?: string) => Promise<{ status: number; allow: unknown; body: string }>

const json = { ...withKey, 'Content-Type': 'application/json' }

const byNode: Ask = (method, url, body) =>
  new Promise((resolve, reject) => {
    const start = url.startsWith('https:') ? httpsRequest : httpRequest
    const request = start(url, { method, headers: json }, (response) => {
      const { statusCode: status = 0, headers } = response
      text(response).then((body) => resolve({ status, allow: headers.allow, body }), reject)
    })
    request.on('error', reject)
    request.end(body)
  })

const clients: Readonly<Record<string, Ask>> = {
  'fetch': async (method, url, body) => {
    const response = await fetch(url, { method, headers: json, body: body ?? null })
    return { status: response.status, allow: response.headers.get('allow'), body: await response.text() }
  },
  'node:http and node:https': byNode,
  'axios': async (method, url, body) => {
    const options = {
      method,
      url,
      data: body,
      headers: json,
      validateStatus: () => true,
      responseType: 'text',
    } as const
    const { status, headers, data } = await axios({ ...options, transformResponse: (text: string) => text })
    return { status, allow: headers.allow, body: data }
  },
  'got': async (method, url, body) => {
    const options = { method: method as 'GET', headers: json, throwHttpErrors: false, retry: { limit: 0 } }
    const { statusCode, headers, body: respond } = await got(url, body === undefined ? options : { ...options, body })
    return { status: statusCode, allow: headers.allow, body: respond }
  },
}

describe.for(Object.entries(clients))('%s', ([, ask]) => {
  test.for([origin, 'http://plugin.example:8080'])('%s sees the exact statuses', async (at) => {
    const { simulator } = answered({ capacity: 1 }, at)
    const post = (body: string) => ask('POST', `${at}/api/rules`, body)
    expect(await post(ruleText())).toMatchObject({ status: 201 })
    expect(await post(ruleText())).toMatchObject({ status: 500 })
    expect(await post('{"master":')).toMatchObject({ status: 400, body: expect.stringContaining('"error"') })
    expect(await ask('PUT', `${at}/api/rules`, '{}')).toMatchObject({ status: 405, allow: 'GET, POST, HEAD' })
    expect(await ask('DELETE', `${at}/api/rules/7`)).toMatchObject({ status: 404 })
    expect(await ask('GET', `${at}/api/rules`)).toMatchObject({ status: 200, body: expect.stringContaining('45163') })
    simulator.control.replaceParameters({ API_Key: 'another' })
    await simulator.restart()
    expect(await ask('GET', `${at}/api/rules?a=b`)).toMatchObject({ status: 401 })
  })
})

test('concurrent requests get their own responses', async () => {
  answered({ capacity: 30 })
  const numbers = Array.from({ length: 20 }, (_, place) => place + 1)
  const statuses = numbers.map((number) => ({ number, body: ruleText({ follower: String(number) }) }))
  const replies = await Promise.all(
    statuses.map(({ body }) => fetch(`${origin}/api/rules`, { method: 'POST', headers: json, body })),
  )
  const followers = await Promise.all(
    replies.map(async (reply) => ((await reply.json()) as { follower: number }).follower),
  )
  expect(followers).toEqual(numbers)
})

test('bytes that are not valid UTF-8 arrive unchanged', async () => {
  const { simulator } = answered()
  const body = Buffer.from([0xff, 0xfe, 0x00])
  const reply = await fetch(`${origin}/api/rules`, { method: 'POST', headers: json, body })
  expect(await reply.text()).toContain('UTF-8')
  expect(simulator.control.journal.find()[0]?.body).toBe(body.toString())
})

test('text that looks like hexadecimal is not converted', async () => {
  const { simulator } = answered()
  await fetch(`${origin}/api/rules`, { method: 'POST', headers: json, body: '3132' })
  expect(simulator.control.journal.find()[0]?.body).toBe('3132')
})

test.for(['reset', 'empty', 'garbage', 'truncate', 'bad-chunk', 'lose-answer'] as const)(
  'a client sees the fault %s as a broken connection',
  async (kind) => {
    const { simulator } = answered()
    simulator.control.faults.add({ effect: { kind }, times: 1 })
    await expect(byNode('GET', `${origin}/api/rules`)).rejects.toMatchObject({ code: 'ECONNRESET' })
    expect(await byNode('GET', `${origin}/api/rules`)).toMatchObject({ status: 200 })
    const entries = await simulator.control.journal.waitFor(2)
    expect(entries.map(({ fault, status }) => [fault, status])).toEqual([
      ['fault-1', null],
      [null, 200],
    ])
  },
)

test('a crashed simulator breaks connections until it is restarted', async () => {
  const { simulator } = answered()
  await simulator.start()
  await simulator.crash()
  await expect(byNode('GET', `${origin}/api/rules`)).rejects.toMatchObject({ code: 'ECONNRESET' })
  await simulator.restart()
  expect(await byNode('GET', `${origin}/api/rules`)).toMatchObject({ status: 200 })
})

test('other origins and other interceptors are not affected', async () => {
  const server = createServer((_request, response) => response.end('the network'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const other = nock('https://other.example').get('/').reply(200, 'another interception')
  onTestFinished(() => nock.cleanAll())

  const { restore } = answered()
  expect(await (await fetch(`http://127.0.0.1:${port}/`, { headers: { Connection: 'close' } })).text()).toBe(
    'the network',
  )
  restore()
  expect(await (await fetch('https://other.example/')).text()).toBe('another interception')
  expect(other.isDone()).toBe(true)
})

test('after restore() requests go to the network, and the origin can be intercepted again', async () => {
  const local = 'http://127.0.0.1:9'
  answered({}, local).restore()
  await expect(fetch(`${local}/api/status`)).rejects.toThrow()
  answered({}, local)
  expect((await fetch(`${local}/api/status`)).status).toBe(401)
})

test('nock is switched off again if it was off before', () => {
  nock.restore()
  onTestFinished(() => {
    if (!nock.isActive()) nock.activate()
  })
  const originalFetch = globalThis.fetch
  const { restore } = answered()
  expect(nock.isActive()).toBe(true)
  restore()
  expect(nock.isActive()).toBe(false)
  expect(globalThis.fetch).toBe(originalFetch)
})

test.for(['http://plugin.example:80', 'https://plugin.example:443/', 'HTTPS://Plugin.Example'])(
  '%s is accepted as another spelling of the origin',
  async (text) => {
    answered({}, text)
    const { protocol } = new URL(text)
    expect((await fetch(`${protocol}//plugin.example/api/status`, { headers: withKey })).status).toBe(200)
  },
)

test('without a key the API is disabled, and the connection error says so', async () => {
  answered({ apiKey: '' })
  const failure: Error = await fetch(`${origin}/api/status`).then(
    () => expect.unreachable(),
    (error: Error) => error,
  )
  expect(JSON.stringify([failure, failure.cause])).toContain('has an API key')
})

test.for([
  'plugin.example',
  'https://plugin.example:8443/api',
  'not a url',
  'ftp://plugin.example',
  'https://user:word@plugin.example',
  'https://plugin.example/?a=1',
])('%s is rejected with a hint', (text) => {
  expect(() => answerOrigin(text, {})).toThrow('origin must be scheme, host and port only')
})
