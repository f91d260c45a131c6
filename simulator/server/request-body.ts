import type { IncomingMessage } from 'node:http'

export interface Read {
  readonly chunks: readonly Uint8Array[]
  /** False where the connection ended before the body did. */
  readonly isWhole: boolean
}

/** A body on its way in. */
interface Reading {
  chunks: Uint8Array[]
  lengthBytes: number
  /** Of the one who began: what is longer is not kept. */
  readonly limitBytes: number
  /** Undefined as long as more may come. */
  isWhole?: boolean
  /** Told when more has come, or no more will. */
  readonly takers: Set<() => void>
}

/** A body flows by once; whoever asks for it again is given what was read. */
const readings = new WeakMap<IncomingMessage, Reading>()

/**
 * What arrives of the body, or undefined as soon as it is longer than the limit. The rest then flows
 * off unread, so that a client that is still sending comes to read its answer.
 */
export function readUpTo(request: IncomingMessage, limitBytes: number): Promise<Read | undefined> {
  const reading = startReading(request, limitBytes)
  return new Promise((resolve) => {
    const look = () => {
      const { chunks, lengthBytes, isWhole } = reading
      const isTooLong = lengthBytes > Math.min(limitBytes, reading.limitBytes)
      if (!isTooLong && isWhole === undefined) return
      reading.takers.delete(look)
      resolve(isTooLong || isWhole === undefined ? undefined : { chunks, isWhole })
    }
    reading.takers.add(look)
    look()
  })
}

/** Keeps a body up to the limit as it comes, for those who will ask for it. */
export function startReading(request: IncomingMessage, limitBytes: number): Reading {
  const earlier = readings.get(request)
  if (earlier !== undefined) return earlier
  const reading: Reading = { chunks: [], lengthBytes: 0, limitBytes, takers: new Set() }
  readings.set(request, reading)
  const tell = () => {
    for (const taker of reading.takers) taker()
  }
  const end = (isWhole: boolean) => {
    reading.isWhole ??= isWhole
    tell()
  }
  request.on('data', (chunk: Uint8Array) => {
    reading.lengthBytes += chunk.length
    if (reading.lengthBytes <= limitBytes) reading.chunks.push(chunk)
    else reading.chunks = []
    tell()
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
export function readAlready(request: IncomingMessage): Promise<Read | undefined> | undefined {
  const reading = readings.get(request)
  if (reading === undefined) return undefined
  // What has arrived may still have to flow in.
  if (request.complete) return readUpTo(request, reading.limitBytes)
  const { chunks, lengthBytes, limitBytes } = reading
  return Promise.resolve(lengthBytes > limitBytes ? undefined : { chunks, isWhole: false })
}
