import { setTimeout as pause } from 'node:timers/promises'
import { isTimeout } from './failure-reason.ts'
import { NoResponse, orNoResponse } from './response.ts'

const pauseMs = 200

/** Whether a server responds within this time. After a crash it may be started again. One that hangs is not. */
export async function answersAgain(ask: () => Promise<unknown>, withinMs: number): Promise<boolean> {
  const end = performance.now() + withinMs
  for (;;) {
    const seen = await orNoResponse(ask())
    if (!(seen instanceof NoResponse)) return true
    if (isTimeout(seen) || performance.now() > end) return false
    await pause(pauseMs)
  }
}
