import type { IncomingMessage } from 'node:http'
import type { Caller } from '../../server/caller.ts'
import type { Rejection } from '../../server/error-response.ts'
import { readUpTo } from '../../server/request-body.ts'
import type { Service } from '../service.ts'
import type { Route } from './route.ts'

/** Reads the bytes of a body, where the operation takes note of one. Strangers' bodies are left unread. */
export async function readBody(
  request: IncomingMessage,
  { route: { operation }, caller }: { route: Route; caller: Caller },
  { hooks }: Service,
): Promise<Uint8Array> {
  caller.requireAuthorization(operation === 'add-rule' ? 'body' : undefined)
  if (operation !== 'add-rule' && operation !== 'remove-rule') return new Uint8Array()
  const read = await readUpTo(request, hooks.bodyLimitBytes)
  if (read === undefined) return caller.reject('body', hooks.oversized() satisfies Rejection)
  const bytes = Buffer.concat(read.chunks)
  return read.isComplete ? bytes : hooks.brokenOff(bytes)
}
