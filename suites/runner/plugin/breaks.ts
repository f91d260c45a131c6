import type { Client } from '../../client/client.ts'
import { isTimeout } from '../../client/failure-reason.ts'
import type { RawClient } from '../../client/raw.ts'
import { NoResponse } from '../../client/response.ts'
import type { Broken } from '../confirm.ts'

/** Notes which requests of the check at hand ended with a broken connection, and whether some overlapped. */
export interface Breaks {
  watchClient(client: Client): Client
  watchRaw(raw: RawClient): RawClient
  /** Those among all requests since the last call. */
  take(): Broken
  /** Whether two requests were open at the same time since the last call. */
  takeOverlap(): boolean
}

export function createBreaks(): Breaks {
  let sent = 0
  let open = 0
  let haveOverlapped = false
  let places: number[] = []
  let isLate = false
  let isKnownHang = true
  const begin = () => {
    sent += 1
    open += 1
    haveOverlapped ||= open > 1
    return sent
  }
  const end = () => {
    open -= 1
  }
  return {
    watchClient: (client) => async (request) => {
      const place = begin()
      try {
        return await client(request)
      } catch (error) {
        if (error instanceof NoResponse) {
          places.push(place)
          isKnownHang &&= error.isKnownHang
          isLate ||= isTimeout(error) && !error.isKnownHang
        }
        throw error
      } finally {
        end()
      }
    },
    watchRaw: (raw) => async (request) => {
      const place = begin()
      const result = await raw(request).finally(end)
      if (result.end !== 'answered') {
        places.push(place)
        isKnownHang &&= result.isKnownHang ?? false
      }
      // With `endAfter` no response is due.
      isLate ||= result.end === 'timeout' && !request.endAfter && !result.isKnownHang
      return result
    },
    take() {
      const taken = { places, isLate, isKnownHang: isKnownHang && places.length > 0 }
      places = []
      isLate = false
      isKnownHang = true
      sent = 0
      return taken
    },
    takeOverlap() {
      const taken = haveOverlapped
      haveOverlapped = open > 1
      return taken
    },
  }
}
