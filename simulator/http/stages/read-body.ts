import type { IncomingMessage } from 'node:http'
import { type Denial, Dropped } from '../refusal.ts'
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
  const bytes = await readUpTo(request, seams.bodyLimitBytes)
  return bytes ?? caller.refuse('body', seams.oversized() satisfies Denial)
}

/**
 * The whole body, or undefined as soon as it is longer than the limit. The rest then flows off
 * unread, so that a client that is still sending comes to read its answer.
 */
function readUpTo(request: IncomingMessage, limitBytes: number): Promise<Uint8Array | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = []
    let lengthBytes = 0
    request.on('data', (chunk: Uint8Array) => {
      lengthBytes += chunk.length
      if (lengthBytes <= limitBytes) chunks.push(chunk)
      else resolve(undefined)
    })
    request.on('end', () => resolve(Buffer.concat(chunks)))
    // A client that left in the middle of the body waits for no answer.
    request.on('error', (cause) => reject(new Dropped('The body was cut off.', { cause })))
    request.on('close', () => reject(new Dropped('The body was cut off.')))
  })
}
