import type { IncomingMessage } from 'node:http'
import type { Denial } from '../refusal.ts'
import type { Service } from '../service.ts'
import type { Caller } from './authenticate.ts'
import type { Route } from './route.ts'

/** Reads the bytes of a body, where the operation takes note of one. Strangers' bodies are left unread. */
export async function readBody(
  request: IncomingMessage,
  { route: { operation }, caller }: { route: Route; caller: Caller },
  { seams }: Service,
): Promise<Uint8Array> {
  caller.admit(operation === 'add-rule' ? 'body' : undefined)
  if (operation !== 'add-rule' && operation !== 'remove-rule') return new Uint8Array()
  const read = await readUpTo(request, seams.bodyLimitBytes)
  if (read === undefined) return caller.refuse('body', seams.oversized() satisfies Denial)
  const bytes = Buffer.concat(read.chunks)
  return read.isWhole ? bytes : seams.brokenOff(bytes)
}

interface Read {
  readonly chunks: readonly Uint8Array[]
  /** False where the connection ended before the body did. */
  readonly isWhole: boolean
}

/**
 * What arrives of the body, or undefined as soon as it is longer than the limit. The rest then flows
 * off unread, so that a client that is still sending comes to read its answer.
 */
function readUpTo(request: IncomingMessage, limitBytes: number): Promise<Read | undefined> {
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
