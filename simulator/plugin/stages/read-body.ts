import type { IncomingMessage } from 'node:http'
import type { Caller } from '../../server/caller.ts'
import { readBody as readBytes } from '../../server/read-body.ts'
import type { Service } from '../service.ts'
import type { Route } from './route.ts'

/** Reads the body where the operation uses one. The body of an unauthenticated request is not read. */
export function readBody(
  request: IncomingMessage,
  { route: { operation }, caller }: { readonly route: Route; readonly caller: Caller },
  { hooks }: Service,
): Promise<Uint8Array> | Uint8Array {
  caller.requireAuthorization(operation === 'add-rule' ? 'body' : undefined)
  const usesBody = operation === 'add-rule' || operation === 'remove-rule'
  return usesBody ? readBytes(request, caller, hooks) : new Uint8Array()
}
