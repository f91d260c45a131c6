import type { Caller, ReceivedRequest } from '../../server/receive.ts'
import { type Endpoint, endpointAt, findRoute, type Route as RouteOf, segmentsOf } from '../../server/route.ts'
import type { EndpointName, OperationName } from '../hooks/endpoints.ts'
import type { Service } from '../service.ts'

/** The requested operation; its parameter is the index as it was sent. */
export type Route = RouteOf<OperationName>

/** Finds the operation by path and method: 404 for an unknown path, 405 for another method (clause 7). */
export function route(received: ReceivedRequest, caller: Caller, { hooks }: Service): Route {
  const lookUp = (path: string) => endpointAt(segmentsOf(path, hooks), hooks)
  const merged = hooks.mergeSlashes(received.path)
  // A trailing slash leaves the index empty here, and an empty index is invalid.
  const lacksIndex =
    received.method === 'DELETE' && merged.endsWith('/') && lookUp(merged.slice(0, -1))?.row.name === 'rules'
  const emptyIndex: Endpoint<EndpointName> = { row: { name: 'rule', hasQuery: true }, parameter: '' }
  const found = findRoute(received, caller, hooks, lookUp, lacksIndex ? emptyIndex : undefined)
  // Without the key, a path whose index is not a number is as unknown as any other.
  if (!caller.authorized && found.operation === 'remove-rule' && hooks.parseIndex(found.parameter) === undefined)
    caller.reject('path', hooks.invalidIndex())
  return found
}
