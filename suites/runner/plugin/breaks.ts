import type { Client } from '../../client/client.ts'
import type { RawClient } from '../../client/raw.ts'
import { NoResponse } from '../../client/response.ts'

/** Notes which requests of the check at hand ended with a broken connection. */
export interface Breaks {
  watchClient(client: Client): Client
  watchRaw(raw: RawClient): RawClient
  /** The places of those requests among all since the last call, counted from 1. */
  take(): readonly number[]
}

export function createBreaks(): Breaks {
  let sent = 0
  let broken: number[] = []
  return {
    watchClient: (client) => async (request) => {
      sent += 1
      const place = sent
      try {
        return await client(request)
      } catch (error) {
        if (error instanceof NoResponse) broken.push(place)
        throw error
      }
    },
    watchRaw: (raw) => async (request) => {
      sent += 1
      const place = sent
      const result = await raw(request)
      if (result.end !== 'answered') broken.push(place)
      return result
    },
    take() {
      const taken = broken
      broken = []
      sent = 0
      return taken
    },
  }
}
