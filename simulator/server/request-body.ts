import type { IncomingMessage } from 'node:http'

export interface ReceivedBody {
  readonly chunks: readonly Uint8Array[]
  /** False if the connection ended before the body did. */
  readonly isComplete: boolean
}

/** A body that is being received. */
interface BodyReader {
  chunks: Uint8Array[]
  lengthBytes: number
  /** The limit of the first reader. A longer body is discarded. */
  readonly limitBytes: number
  /** Undefined while more may arrive. */
  isComplete?: boolean
  /** Called when more has arrived, or the body has ended. */
  readonly listeners: Set<() => void>
}

/** A body can be read from the socket only once. Later readers get the stored chunks. */
const readings = new WeakMap<IncomingMessage, BodyReader>()

/**
 * The body as far as it arrives, or undefined as soon as it exceeds the limit. The rest is then discarded, so that a
 * client that is still sending can read its response.
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

/** Stores a body up to the limit while it arrives, for later readers. */
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
  const take = (chunk: Uint8Array) => {
    reading.lengthBytes += chunk.length
    if (reading.lengthBytes <= limitBytes) reading.chunks.push(chunk)
    else reading.chunks = []
    notify()
  }
  if (hasArrived(request)) {
    const bytes: Uint8Array | null = request.read()
    if (bytes !== null) take(bytes)
    end(true)
    return reading
  }
  request.on('data', take)
  request.on('end', () => end(true))
  request.on('error', () => end(false))
  request.on('close', () => end(false))
  return reading
}

/** Whether the whole body waits to be read. Most bodies arrive with their head, and waiting takes longer than reading. */
function hasArrived({ complete, destroyed, headers }: IncomingMessage): boolean {
  return complete && !destroyed && headers['transfer-encoding'] === undefined
}

/**
 * The body as far as it was read; undefined if it was not read or was too long. Does not wait for the rest of an
 * incomplete body, since the client may never send it.
 */
export function bodyReadSoFar(request: IncomingMessage): Promise<ReceivedBody | undefined> | undefined {
  const reading = readings.get(request)
  if (reading === undefined) return undefined
  // Bytes that have arrived may still be in the stream's buffer.
  if (request.complete) return readUpTo(request, reading.limitBytes)
  const { chunks, lengthBytes, limitBytes } = reading
  return Promise.resolve(lengthBytes > limitBytes ? undefined : { chunks, isComplete: false })
}
