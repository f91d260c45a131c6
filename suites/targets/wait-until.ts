import pWaitFor from 'p-wait-for'

export interface WaitOptions {
  readonly timeoutMs: number
  readonly intervalMs: number
}

/** Checks the condition until it is true or the time is over; resolves to whether it became true. */
export function waitUntil(
  condition: () => boolean | Promise<boolean>,
  { timeoutMs, intervalMs }: WaitOptions,
): Promise<boolean> {
  const deadline = Date.now() + timeoutMs
  // The library's own timeout adds a listener with every interval, and Node.js warns about a leak.
  return pWaitFor(
    async () => {
      if (await condition()) return pWaitFor.resolveWith(true)
      return Date.now() >= deadline && pWaitFor.resolveWith(false)
    },
    { interval: intervalMs },
  )
}
