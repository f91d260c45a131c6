import { isTimeout } from '../client/failure-reason.ts'
import { NoResponse } from '../client/response.ts'

/**
 * Whether a server responds to one of these plain requests, each tried twice if a connection broke. What is no HTTP is a
 * response too: a server sent it.
 */
export async function isAnswering(requests: readonly (() => Promise<unknown>)[]): Promise<boolean> {
  const again: (() => Promise<unknown>)[] = []
  for (const ask of requests) {
    const silence = await silenceOf(ask)
    if (silence === null || isMalformed(silence)) return true
    // Only a connection may break by chance.
    if (!isTimeout(silence)) again.push(ask)
  }
  for (const ask of again) {
    if ((await silenceOf(ask)) === null) return true
  }
  return false
}

async function silenceOf(ask: () => Promise<unknown>): Promise<NoResponse | null> {
  try {
    await ask()
    return null
  } catch (error) {
    if (error instanceof NoResponse) return error
    throw error
  }
}

/** Whether something came that is no HTTP response. */
export function isMalformed({ cause }: NoResponse): boolean {
  return String((cause as NodeJS.ErrnoException | undefined)?.code).startsWith('HPE_')
}
