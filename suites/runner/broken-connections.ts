import type { Observer } from '../client/observed.ts'
import { mayBeOfGateway } from '../client/proxied.ts'
import type { Broken } from './confirm.ts'

/**
 * Records which requests of the current check ended with a broken connection or a status of a gateway, and whether some
 * overlapped. The guard reads the list at `guardedList` more or less often; null if there is no such list.
 */
export function recordBrokenConnections(guardedList: string | null) {
  let sentCount = 0
  let open = 0
  let haveOverlapped = false
  /** Without reads of the guarded list, so that repetitions of a check are comparable. */
  let otherCount = 0
  const ofGateway = new Set<number>()
  let broken: (Omit<Broken, 'places' | 'ofGateway'> & { readonly place: number })[] = []
  return {
    observe: ((sent) => {
      sentCount += 1
      open += 1
      haveOverlapped ||= open > 1
      const { method, path } = sent.kind === 'request' ? sent.request : {}
      if (method !== 'GET' || path !== guardedList) otherCount += 1
      const place = sentCount
      const otherPlace = otherCount
      return (received) => {
        open -= 1
        if (received.responses.some(mayBeOfGateway)) ofGateway.add(otherPlace)
        if (received.broken === null) return
        const { isTimeout, isKnownHang, isReused = false } = received.broken
        // With `endAfter` no response is expected.
        const isDue = sent.kind === 'request' || !sent.request.endAfter
        broken.push({ place, isKnownHang, isReused, isLate: isTimeout && isDue && !isKnownHang })
      }
    }) satisfies Observer,
    /** Counts requests that an earlier attempt sent for this one, so that positions are comparable. */
    skip: (count: number) => {
      sentCount += count
      otherCount += count
    },
    /** The broken ones among all requests since the last call. */
    take(): Broken {
      const taken = {
        places: broken.map(({ place }) => place),
        isLate: broken.some(({ isLate }) => isLate),
        isKnownHang: broken.length > 0 && broken.every(({ isKnownHang }) => isKnownHang),
        isReused: broken.some(({ isReused }) => isReused),
        ofGateway: [...ofGateway].toSorted((one, other) => one - other),
      }
      otherCount = 0
      ofGateway.clear()
      broken = []
      sentCount = 0
      return taken
    },
    /** Whether two requests were open at the same time since the last call. */
    takeOverlap() {
      const taken = haveOverlapped
      haveOverlapped = open > 1
      return taken
    },
  }
}
