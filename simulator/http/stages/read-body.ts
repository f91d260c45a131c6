import type { IncomingMessage } from 'node:http'
import type { Caller } from '../../server/caller.ts'
import { readUpTo } from '../../server/read-up-to.ts'
import type { Denial } from '../../server/refusal.ts'
import type { Service } from '../service.ts'
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
