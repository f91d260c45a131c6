import type { IncomingMessage } from 'node:http'
import { readBody as readBytes } from '../../server/read-body.ts'
import type { PlatformService } from '../service.ts'
import type { KeyHolder } from './authenticate.ts'
import type { Route } from './route.ts'

/** Reads the body: a signature covers it. The body of an unauthenticated request is not read. */
export async function readBody(
  request: IncomingMessage,
  { route: { operation }, caller }: { readonly route: Route; readonly caller: KeyHolder },
  { hooks }: PlatformService,
): Promise<Uint8Array> {
  caller.requireAuthorization(operation === 'create-account' ? 'body' : undefined)
  return readBytes(request, caller, hooks)
}
