import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from './client.ts'
import type { HttpResponse } from './response.ts'

/** Whether a response says that the server accepts no more requests for now. */
export function isRateLimited({ status, headers }: Pick<HttpResponse, 'status' | 'headers'>): boolean {
  return status === 429 || (status === 503 && headers['retry-after'] !== undefined)
}

/** The longest wait for one request. */
const maxWaitMs = 60_000

/** The pause if a server does not say how long, and the shortest one. */
const usualMs = 1_000
const minMs = 250

/** Sends a request again, after the pause that the server demands, as long as its rate limit rejects the request. */
export async function sendPatiently(
  send: () => Promise<HttpResponse>,
  isRejected: (response: HttpResponse) => boolean = isRateLimited,
  pause: (ms: number) => Promise<unknown> = delay,
): Promise<HttpResponse> {
  for (let leftMs = maxWaitMs; ; ) {
    const response = await send()
    const pauseMs = pauseOf(response.headers['retry-after'] ?? '')
    leftMs -= pauseMs
    if (!isRejected(response) || leftMs < 0) return response
    await pause(pauseMs)
  }
}

/** The value is a number of seconds, or a date, which contains the name of a month. */
function pauseOf(retryAfter: string): number {
  const ms = /[a-z]/i.test(retryAfter) ? Date.parse(retryAfter) - Date.now() : Number(retryAfter || Number.NaN) * 1_000
  return Number.isNaN(ms) ? usualMs : Math.max(ms, minMs)
}

/**
 * A client that does so. Not for DELETE: its index may be that of another rule by then, so the list must be read. A POST
 * is not repeated after a 503, which a gateway may send although the server has added the rule.
 */
export function patient(client: Client): Client {
  return (request) => {
    const send = () => client(request)
    if (request.method === 'DELETE') return send()
    return sendPatiently(send, request.method === 'POST' ? ({ status }) => status === 429 : isRateLimited)
  }
}
