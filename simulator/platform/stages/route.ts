import type { Caller, ReceivedRequest } from '../../server/receive.ts'
import { type Endpoint, endpointAt, findRoute, type Route as RouteOf, segmentsOf } from '../../server/route.ts'
import type { EndpointName, OperationName } from '../hooks/endpoints.ts'
import type { PlatformService } from '../service.ts'

/** The requested operation; its parameter is the id of a trading account. */
export type Route = RouteOf<OperationName>

export function route(received: ReceivedRequest, caller: Caller, { hooks }: PlatformService): Route {
  const lookUp = (path: string): Endpoint<EndpointName> | undefined => {
    const segments = segmentsOf(path, hooks)
    if (segments === undefined) return undefined
    if (hooks.isVersion(segments[0] ?? '')) return endpointAt(segments.slice(1), hooks)
    if (hooks.withoutVersion === 'unknown') return undefined
    const found = endpointAt(segments, hooks)
    return found && hooks.withoutVersion === 'redirected' ? { ...found, redirectTo: `/v1${path}` } : found
  }
  return findRoute(received, caller, hooks, lookUp)
}
