import { setTimeout as delay } from 'node:timers/promises'
import type { Request } from './request.ts'

export interface Waits {
  forRequest(request: Request): Wait
  /** The wait for the response to raw bytes. `endsAfter` means that the client half-closes the connection. */
  forBytes(text: string, endsAfter: boolean): Wait
}

export class TookTooLong extends Error {
  override readonly name = 'TookTooLong'
  readonly code = 'ETIMEDOUT'
}

/** The server of an https URL accepted the connection but did not take part in the handshake. */
export class NoHandshake extends Error {
  override readonly name = 'NoHandshake'
  readonly code = 'EPROTO'
  readonly reason = 'no handshake'
}

/** A hang of earlier requests, as a sentence. `isSure`: none has ever got a response, which rules out a random delay. */
export interface KnownHang {
  readonly sentence: string
  readonly isSure: boolean
}

/** The wait for a response that may take until the timeout. */
function equalWait(timeoutMs: number) {
  return {
    /** The time limit, from the request on. It is shorter for a known hang. */
    limitMs: () => timeoutMs,
    known: (): KnownHang | null => null,
    /** Records a possible hang that shows only during the wait, as a sentence like that of a known one. */
    note: (_hang: string) => {},
    /** `status` is null if the connection was closed. */
    ended: (_status: number | null) => {},
    hung: () => {},
  }
}

export type Wait = ReturnType<typeof equalWait>

export function equalWaits(timeoutMs: number): Waits {
  return { forRequest: () => equalWait(timeoutMs), forBytes: () => equalWait(timeoutMs) }
}

/** Describes the hang of a request that is not the first on its connection. */
export function laterRequest(place: number): string {
  return `request ${place} of a connection has no response`
}

/** Describes the hang of a response that has started. */
export function unendedResponse(status: number): string {
  return `a response with status ${status} does not end: the connection is not closed`
}

/** Polls the condition until it is no longer false or the time is over. Resolves to its last result. */
export async function waitUntil<Result extends boolean | null>(
  condition: () => Result | Promise<Result>,
  { timeoutMs, intervalMs }: { readonly timeoutMs: number; readonly intervalMs: number },
): Promise<Result> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const result = await condition()
    if (result !== false || performance.now() >= deadline) return result
    await delay(intervalMs)
  }
}

/** Resolves when the next request may be sent. */
export type Pace = () => Promise<void>

export const unpaced: Pace = async () => undefined

/** Keeps the mean rate within the limit. Requests that wait at the same time are sent together, so that they overlap. */
export function createPace(maxRequestsPerSecond: number): Pace {
  const intervalMs = 1000 / maxRequestsPerSecond
  if (intervalMs === 0) return unpaced
  let lastAt = Number.NEGATIVE_INFINITY
  let waiting: Promise<void> | null = null
  const wait = async () => {
    // At least one turn of the event loop, in which more requests can join.
    do {
      await delay(Math.max(0, lastAt - performance.now()))
    } while (performance.now() < lastAt)
    waiting = null
  }
  return () => {
    lastAt = Math.max(performance.now(), lastAt + intervalMs)
    waiting ??= wait()
    return waiting
  }
}
