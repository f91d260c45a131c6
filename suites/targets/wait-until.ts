import { setTimeout as delay } from 'node:timers/promises'
import type { StartOptions, StartWait } from './driver.ts'

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

/** Waits for servers of one kind to be ready. Resolves to whether one is ready in time. */
export function createStartWait({ readyMs, briefMs }: StartOptions, intervalMs: number) {
  /** A later start may take as long as the slowest one so far. */
  let slowestMs = 0

  /** `isReady` returns null for a server that has ended. */
  return async (wait: StartWait, isReady: () => Promise<boolean | null>): Promise<boolean> => {
    const startedAt = performance.now()
    const timeoutMs = wait === 'ready' ? readyMs : Math.max(briefMs, 2 * slowestMs)
    const ready = await waitUntil(isReady, { timeoutMs, intervalMs })
    if (ready) slowestMs = Math.max(slowestMs, performance.now() - startedAt)
    return ready === true
  }
}
