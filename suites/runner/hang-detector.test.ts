import { performance } from 'node:perf_hooks'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Request } from '../client/request.ts'
import { laterRequest, unendedResponse, type Wait } from '../client/wait.ts'
import { createHangDetector } from './hang-detector.ts'

const server = { url: 'http://127.0.0.1:1', key: 'k', timeoutMs: 10_000 }
const headers = { 'X-API-Key': 'k' }
const rule = { master: 1, follower: 2, mode: 'mult', value: 1, direction: 'same' }
const request = (method: Request['method'], path: string, body: unknown = null): Request => ({
  ...{ method, path, headers },
  body: body === null ? null : Buffer.from(JSON.stringify(body)),
})
const list = request('GET', '/api/rules')
const post = request('POST', '/api/rules', rule)
const invalid = request('POST', '/api/rules', { ...rule, mode: 'lots' })

/** A `HangDetector` with a simulated clock. */
function learning() {
  const hangs = createHangDetector()
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  onTestFinished(() => void vi.restoreAllMocks())
  const waits = hangs.at(server)
  const answer = (sent: Request, status = 200, milliseconds = 1, note: (wait: Wait) => void = () => {}) => {
    const wait = waits.forRequest(sent)
    note(wait)
    now += milliseconds
    wait.ended(status)
  }
  return {
    waits,
    answer,
    restart: () => hangs.forget(server.url),
    /** The request hangs, while others get responses. */
    hang(sent: Request, note: (wait: Wait) => void = () => {}) {
      const wait = waits.forRequest(sent)
      note(wait)
      wait.hung()
      answer(list)
    },
  }
}

test('a kind of request that hung three times has a short limit until one gets a response', () => {
  const { waits, hang, answer } = learning()
  const limit = () => waits.forRequest(post).limitMs()
  for (const expected of [10_000, 10_000, 10_000, 500]) {
    expect(limit()).toBe(expected)
    hang(post)
  }
  expect(waits.forRequest(post).known()?.sentence).toBe('POST /api/rules has no response')
  expect(waits.forRequest(list).limitMs()).toBe(10_000)
  answer(post, 201)
  expect(limit()).toBe(10_000)
})

test('a kind is certain to hang as long as no request of it got a response', () => {
  const { waits, hang, answer } = learning()
  for (const isSure of [true, false]) {
    for (const _ of [1, 2, 3]) hang(post)
    expect(waits.forRequest(post).limitMs()).toBe(500)
    expect(waits.forRequest(post).known()?.isSure).toBe(isSure)
    for (const _ of [1, 2]) answer(post, 201)
  }
})

test('a request to which no response is due shortens no limit', () => {
  const { waits, answer } = learning()
  for (const _ of [1, 2, 3, 4, 5, 6]) {
    waits.forBytes('', true).hung()
    answer(list)
  }
  expect(waits.forBytes('', true).limitMs()).toBe(500)
  expect(waits.forRequest(post).limitMs()).toBe(10_000)
})

test('a lock that an invalid body leaves behind is detected across restarts', () => {
  const { waits, hang, answer, restart } = learning()
  for (const changing of [post, request('DELETE', '/api/rules/0'), post]) {
    answer(post, 201)
    answer(list)
    answer(invalid, 400)
    answer(list)
    hang(changing)
    restart()
  }
  answer(post, 201)
  expect(waits.forRequest(post).limitMs()).toBe(10_000)
  answer(invalid, 400)
  const since = 'since POST /api/rules with an invalid body was answered with 400'
  expect(waits.forRequest(post)).toMatchObject({ known: expect.any(Function) })
  expect(waits.forRequest(post).known()?.sentence).toBe(`no change has a response ${since}`)
  expect(waits.forRequest(post).limitMs()).toBe(500)
})

test('requests that never get a response are distinguished from those that do', () => {
  const { waits, hang, answer } = learning()
  for (const _ of [1, 2, 3]) {
    answer(post, 201)
    hang(invalid)
  }
  expect(waits.forRequest(post).limitMs()).toBe(10_000)
  expect(waits.forRequest(invalid).known()?.sentence).toBe('POST /api/rules with an invalid body has no response')
})

test.for([laterRequest(101), unendedResponse(400)])('"%s" is found, whatever the request', (sentence) => {
  const { waits, hang, answer } = learning()
  for (const sent of [list, request('GET', '/api/status'), post]) {
    answer(sent)
    hang(sent, (wait) => wait.note(sentence))
  }
  const wait = waits.forRequest(list)
  expect(wait.limitMs()).toBe(10_000)
  wait.note(sentence)
  expect([wait.limitMs(), wait.known()?.sentence]).toEqual([500, sentence])
  answer(list, 200, 1, (one) => one.note(sentence))
  expect(wait.known()).toBeNull()
})

test('the raw bytes of a request are of its kind', () => {
  const { waits, hang } = learning()
  for (const _ of [1, 2, 3]) hang(invalid)
  const raw = (body: object) => {
    const text = JSON.stringify(body)
    const head = ['POST /api/rules HTTP/1.1', 'Host: a', 'X-API-Key: k', `Content-Length: ${text.length}`]
    return waits.forBytes(`${head.join('\r\n')}\r\n\r\n${text}`, false).known()?.sentence
  }
  expect(raw({})).toBe('POST /api/rules has no response')
  expect(waits.forBytes('nothing', false).known()).toBeNull()
})

test('hangs without a response to other requests in between count only once', () => {
  const { waits, answer } = learning()
  for (const _ of [1, 2, 3, 4, 5, 6]) waits.forRequest(post).hung()
  expect(waits.forRequest(post).limitMs()).toBe(10_000)
  answer(list)
  expect(waits.forRequest(post).limitMs()).toBe(10_000)
})

test('the short limit is a multiple of the response time', () => {
  const { waits, hang, answer } = learning()
  for (let at = 0; at < 40; at += 1) answer(list, 200, at % 10 === 0 ? 1_500 : 5)
  for (const _ of [1, 2, 3]) hang(post)
  expect(waits.forRequest(post).limitMs()).toBe(6_000)
})

test('after five hangs of any kinds every limit is short, and failures are still repeated', () => {
  const { waits, hang, answer } = learning()
  const status = request('GET', '/api/status')
  for (const expected of [10_000, 10_000, 10_000, 10_000, 10_000, 500]) {
    expect(waits.forRequest(status).limitMs()).toBe(expected)
    hang(post)
    answer(post, 201)
  }
  expect(waits.forRequest(status).known()).toBeNull()
})
