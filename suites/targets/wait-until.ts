import { setTimeout as delay } from 'node:timers/promises'
import type { StartOptions, StartWait } from './driver.ts'

/** Polls the condition until it is true or the time is over. Resolves to whether it became true. */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  { timeoutMs, intervalMs }: { readonly timeoutMs: number; readonly intervalMs: number },
): Promise<boolean> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    if (await condition()) return true
    if (performance.now() >= deadline) return false
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
    let ready = false as boolean | null
    const isDecided = async () => {
      ready = await isReady()
      return ready !== false
    }
    await waitUntil(isDecided, { timeoutMs, intervalMs })
    if (ready) slowestMs = Math.max(slowestMs, performance.now() - startedAt)
    return ready === true
  }
}
