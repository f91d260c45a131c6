import { NoResponse } from '../client/response.ts'

/** Whether a server responds to a plain request, tried twice. */
export async function isAnswering(ask: () => Promise<unknown>): Promise<boolean> {
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      await ask()
      return true
    } catch (error) {
      if (!(error instanceof NoResponse)) throw error
    }
  }
  return false
}
