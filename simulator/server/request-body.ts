import type { IncomingMessage } from 'node:http'

export interface ReceivedBody {
  readonly chunks: readonly Uint8Array[]
  /** False where the connection ended before the body did. */
  readonly isComplete: boolean
}

/** A body on its way in. */
interface BodyReader {
  chunks: Uint8Array[]
  lengthBytes: number
  /** Of the one who began: what is longer is not kept. */
  readonly limitBytes: number
  /** Undefined as long as more may come. */
  isComplete?: boolean
  /** Told when more has come, or no more will. */
  readonly listeners: Set<() => void>
}

/** A body flows by once; whoever asks for it again is given what was read. */
const readings = new WeakMap<IncomingMessage, BodyReader>()

/**
 * What arrives of the body, or undefined as soon as it is longer than the limit. The rest then flows
 * off unread, so that a client that is still sending comes to read its answer.
 */
export function readUpTo(request: IncomingMessage, limitBytes: number): Promise<ReceivedBody | undefined> {
  const reading = startReading(request, limitBytes)
  return new Promise((resolve) => {
    const check = () => {
      const { chunks, lengthBytes, isComplete } = reading
      const isTooLong = lengthBytes > Math.min(limitBytes, reading.limitBytes)
      if (!isTooLong && isComplete === undefined) return
      reading.listeners.delete(check)
      resolve(isTooLong || isComplete === undefined ? undefined : { chunks, isComplete })
    }
    reading.listeners.add(check)
    check()
  })
}

/** Keeps a body up to the limit as it comes, for those who will ask for it. */
export function startReading(request: IncomingMessage, limitBytes: number): BodyReader {
  const earlier = readings.get(request)
  if (earlier !== undefined) return earlier
  const reading: BodyReader = { chunks: [], lengthBytes: 0, limitBytes, listeners: new Set() }
  readings.set(request, reading)
  const notify = () => {
    for (const taker of reading.listeners) taker()
  }
  const end = (isComplete: boolean) => {
    reading.isComplete ??= isComplete
    notify()
  }
  request.on('data', (chunk: Uint8Array) => {
    reading.lengthBytes += chunk.length
    if (reading.lengthBytes <= limitBytes) reading.chunks.push(chunk)
    else reading.chunks = []
    notify()
  })
  request.on('end', () => end(true))
  request.on('error', () => end(false))
  request.on('close', () => end(false))
  return reading
}

/**
 * What was read of a body; undefined where nobody asked for it, or where it was too long. The rest of
 * a body that is not all there is not waited for: the client may never send it.
 */
export function bodyReadSoFar(request: IncomingMessage): Promise<ReceivedBody | undefined> | undefined {
  const reading = readings.get(request)
  if (reading === undefined) return undefined
  // What has arrived may still have to flow in.
  if (request.complete) return readUpTo(request, reading.limitBytes)
  const { chunks, lengthBytes, limitBytes } = reading
  return Promise.resolve(lengthBytes > limitBytes ? undefined : { chunks, isComplete: false })
}
