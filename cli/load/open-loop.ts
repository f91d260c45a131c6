import { setTimeout } from 'node:timers/promises'

interface OpenLoop {
  /** Requests per second. */
  readonly rate: number
  readonly durationMs: number
  readonly signal: AbortSignal
  /** Sends the n-th request, which was due at this time of `performance.now()`. Must not reject. */
  readonly send: (place: number, dueAt: number) => Promise<void>
}

/** Sends requests at a fixed rate, however slow the responses are, and waits for the last one. */
export async function openLoop({ rate, durationMs, signal, send }: OpenLoop): Promise<void> {
  const startedAt = performance.now()
  const open = new Set<Promise<void>>()
  for (let place = 0; place < (rate * durationMs) / 1_000; place += 1) {
    const dueAt = startedAt + (place * 1_000) / rate
    const earlyMs = dueAt - performance.now()
    if (earlyMs > 0) await setTimeout(earlyMs, null, { signal }).catch(() => null)
    if (signal.aborted) break
    const request = send(place, dueAt).finally(() => open.delete(request))
    open.add(request)
  }
  await Promise.all(open)
}
