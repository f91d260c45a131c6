import { expect, test } from 'vitest'
import { responseOf } from './client.test-data.ts'
import { isRateLimited, patient, sendPatiently } from './rate-limit.ts'
import type { Method } from './request.ts'

type Answer = readonly [status: number, retryAfter?: string]

/** A server with these responses, then 200. */
function answering(answers: readonly Answer[]) {
  let requests = 0
  return async () => {
    const [status, retryAfter] = answers[requests] ?? [200]
    requests += 1
    const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter }
    return responseOf(status, headers, Buffer.alloc(0), {} as never)
  }
}

/** The status that a request gets in the end, and the pauses before it was sent again. */
async function sent(...answers: readonly Answer[]) {
  const pauses: number[] = []
  const { status } = await sendPatiently(answering(answers), isRateLimited, async (ms) => pauses.push(ms))
  return { status, pauses }
}

test('a request that a rate limit rejects is repeated after the pause that the server names, or after a second', async () => {
  expect(await sent([429, '3'], [503, '0'], [429], [429, '1.5'])).toEqual({
    status: 200,
    pauses: [3_000, 250, 1_000, 1_500],
  })
  const { pauses } = await sent([429, new Date(Date.now() + 30_000).toUTCString()])
  expect(pauses[0]).toBeGreaterThan(20_000)
})

test('after a minute, and for a longer pause, the response with the limit is the result', async () => {
  expect(await sent([429, '40'], [429, '30'])).toEqual({ status: 429, pauses: [40_000] })
  expect(await sent([429, '3600'])).toEqual({ status: 429, pauses: [] })
})

test('a 503 without `Retry-After` has another reason', async () => {
  expect(await sent([503])).toEqual({ status: 503, pauses: [] })
})

test.for([
  { limit: [429, '0'], statuses: [200, 200, 429] },
  { limit: [503, '0'], statuses: [200, 503, 503] },
] as const)('after $limit.0 a patient client repeats only what is safe', async ({ limit, statuses }) => {
  const statusOf = async (method: Method) =>
    (await patient(answering([limit]))({ method, path: '/', headers: {}, body: null })).status
  expect([await statusOf('GET'), await statusOf('POST'), await statusOf('DELETE')]).toEqual(statuses)
})
