import type { IncomingMessage } from 'node:http'

export interface Read {
  readonly chunks: readonly Uint8Array[]
  /** False where the connection ended before the body did. */
  readonly isWhole: boolean
}

/** A body flows by once; whoever asks for it again is given what was read. */
const alreadyRead = new WeakMap<IncomingMessage, Promise<Read | undefined>>()

/**
 * What arrives of the body, or undefined as soon as it is longer than the limit. The rest then flows
 * off unread, so that a client that is still sending comes to read its answer.
 */
export function readUpTo(request: IncomingMessage, limitBytes: number): Promise<Read | undefined> {
  const earlier = alreadyRead.get(request)
  if (earlier !== undefined) {
    return earlier.then((read) => (read && lengthOf(read) <= limitBytes ? read : undefined))
  }
  const read = readOnce(request, limitBytes)
  alreadyRead.set(request, read)
  return read
}

/** What was read of a body; undefined where nobody asked for it, or where it was too long. */
export function readAlready(request: IncomingMessage): Promise<Read | undefined> | undefined {
  return alreadyRead.get(request)
}

function lengthOf({ chunks }: Read): number {
  return chunks.reduce((sum, { length }) => sum + length, 0)
}

function readOnce(request: IncomingMessage, limitBytes: number): Promise<Read | undefined> {
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = []
    let lengthBytes = 0
    request.on('data', (chunk: Uint8Array) => {
      lengthBytes += chunk.length
      if (lengthBytes <= limitBytes) chunks.push(chunk)
      else resolve(undefined)
    })
    request.on('end', () => resolve({ chunks, isWhole: true }))
    request.on('error', () => resolve({ chunks, isWhole: false }))
    request.on('close', () => resolve({ chunks, isWhole: false }))
  })
}
