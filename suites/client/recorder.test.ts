import { expect, test } from 'vitest'
import { createRedactor } from '../../http/redact.ts'
import type { Exchange } from './exchange.ts'
import { createRecorder } from './recorder.ts'

const secret = 'a-secret-of-some-length'

function exchange(changes: Partial<Exchange> = {}): Omit<Exchange, 'id'> {
  return {
    startedAt: '2026-01-01T00:00:00.000Z',
    durationMs: 1,
    request: { method: 'GET', url: 'http://a/api/rules', headers: [], body: null },
    response: { status: 200, headers: [], body: '{}' },
    failure: null,
    ...changes,
  }
}

const answered = (body: string) => exchange({ response: { status: 200, headers: [], body } })
const unchanged = (text: string) => text

test('exchanges are returned in order, once', () => {
  const { record, take } = createRecorder(unchanged)
  const ids = ['one', 'two', 'three'].map((body) => record(answered(body)).id)
  const { exchanges, omitted } = take()
  expect(exchanges.map(({ id, response }) => [id, response?.body])).toEqual([
    [ids[0], 'one'],
    [ids[1], 'two'],
    [ids[2], 'three'],
  ])
  expect(omitted).toBe(0)
  expect(take()).toEqual({ exchanges: [], omitted: 0, steps: [], last: undefined })
})

test('ids are unique within a run: they continue after exchanges were taken', () => {
  const { record, take } = createRecorder(unchanged)
  const first = record(exchange()).id
  take()
  expect(record(exchange()).id).not.toBe(first)
})

test('of many exchanges the first ten and the last fifty are kept, and the others are counted', () => {
  const { record, take } = createRecorder(unchanged)
  for (let i = 1; i <= 100; i += 1) record(answered(String(i)))
  const { exchanges, omitted } = take()
  const kept = exchanges.map(({ response }) => Number(response?.body))
  const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)
  expect(kept).toEqual([...range(1, 10), ...range(51, 100)])
  expect(omitted).toBe(40)
  record(exchange())
  expect(take().omitted).toBe(0)
})

test('sixty exchanges are all kept', () => {
  const { record, take } = createRecorder(unchanged)
  for (let i = 1; i <= 60; i += 1) record(exchange())
  expect(take()).toMatchObject({ exchanges: { length: 60 }, omitted: 0 })
})

test('a long body is truncated, and the note says how much is missing', () => {
  const { record } = createRecorder(unchanged)
  expect(record(answered('x'.repeat(4_096))).response?.body).toBe('x'.repeat(4_096))
  expect(record(answered('x'.repeat(5_000))).response?.body).toBe(`${'x'.repeat(4_096)}… (904 more characters)`)
  const request = { ...exchange().request, body: 'y'.repeat(5_000) }
  expect(record(exchange({ request })).request.body).toBe(`${'y'.repeat(4_096)}… (904 more characters)`)
})

test('a secret is redacted before truncation, even across the cut', () => {
  const { record } = createRecorder(createRedactor([secret]))
  for (let before = 4_096 - secret.length; before <= 4_096; before += 1) {
    const body = record(answered(`${'.'.repeat(before)}${secret}${'.'.repeat(100)}`)).response?.body ?? ''
    expect(body).not.toMatch(/[a-z-]{2}-?secret|a-s/)
    expect(body.startsWith('.'.repeat(before))).toBe(true)
  }
})

test('a secret is redacted in every text of an exchange', () => {
  const { record, take } = createRecorder(createRedactor([secret]))
  const message = { headers: [[`X-${secret}`, `Bearer ${secret}`]] as const, body: `{"key":"${secret}"}` }
  const returned = record({
    ...exchange(),
    request: { ...message, method: `RAW ${secret}`, url: `http://a/api?key=${secret}` },
    response: { ...message, status: 401 },
    failure: `cut off after ${secret}`,
  })
  expect(JSON.stringify(returned)).not.toContain(secret)
  expect(JSON.stringify(take())).not.toContain(secret)
  expect(returned).toMatchObject({
    failure: 'cut off after [redacted]',
    request: { url: 'http://a/api?key=[redacted]', headers: [['X-[redacted]', 'Bearer [redacted]']] },
    response: { status: 401, body: '{"key":"[redacted]"}' },
  })
})

test('null stays null', () => {
  const { record } = createRecorder(unchanged)
  expect(record(exchange({ response: null, failure: 'refused' }))).toMatchObject({
    request: { body: null },
    response: null,
    failure: 'refused',
  })
})
