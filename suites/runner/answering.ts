import { NoResponse } from '../client/response.ts'

/**
 * Whether a server responds to one of these plain requests, each tried twice. What is no HTTP is a
 * response too: a server sent it.
 */
export async function isAnswering(requests: readonly (() => Promise<unknown>)[]): Promise<boolean> {
  for (const ask of [...requests, ...requests]) {
    try {
      await ask()
      return true
    } catch (error) {
      if (!(error instanceof NoResponse)) throw error
      if (isMalformed(error)) return true
    }
  }
  return false
}

/** Whether something came that is no HTTP response. */
export function isMalformed({ cause }: NoResponse): boolean {
  return String((cause as NodeJS.ErrnoException | undefined)?.code).startsWith('HPE_')
}
