import type { IncomingMessage } from 'node:http'
import type { Rejection } from '../../server/error-response.ts'
import { readUpTo } from '../../server/request-body.ts'
import type { PlatformService } from '../service.ts'
import type { KeyHolder } from './authenticate.ts'
import type { Route } from './route.ts'

/** Reads the bytes of a body. Strangers' bodies are left unread. */
export async function readBody(
  request: IncomingMessage,
  { route: { operation }, caller }: { route: Route; caller: KeyHolder },
  { hooks }: PlatformService,
): Promise<Uint8Array> {
  caller.requireAuthorization(operation === 'create-account' ? 'body' : undefined)
  const read = await readUpTo(request, hooks.bodyLimitBytes)
  if (read === undefined) return caller.reject('body', hooks.oversized() satisfies Rejection)
  const bytes = Buffer.concat(read.chunks)
  return read.isComplete ? bytes : hooks.brokenOff(bytes)
}
