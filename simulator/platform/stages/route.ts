import type { ReceivedRequest } from '../../server/receive.ts'
import type { PlatformHooks } from '../hooks/hooks.ts'
import type { OperationName } from '../hooks/method.ts'
import type { Endpoint } from '../hooks/path.ts'
import type { PlatformService } from '../service.ts'
import type { KeyHolder } from './authenticate.ts'

/** The requested operation. */
export interface Route {
  readonly operation: OperationName
  /** The last segment of `/v1/trading-accounts/{id}`; empty for other paths. */
  readonly id: string
  readonly query: string
  /** The methods of the path. */
  readonly allow: readonly string[]
}

/** Finds the operation by path and method. */
export function route(received: ReceivedRequest, caller: KeyHolder, { hooks }: PlatformService): Route {
  const endpoint = findEndpoint(received, caller, hooks)
  const errorResponse = endpoint.name === 'account' ? hooks.judgeQuery(received.query) : undefined
  if (errorResponse !== undefined) caller.reject('path', errorResponse)
  const methods = hooks.methodsOf(endpoint.name)
  const allow = [...methods.keys()]
  const { method, query } = received
  const operation = methods.get(method) ?? caller.reject('method', hooks.methodNotAllowed(method, allow))
  return { operation, id: endpoint.id, query, allow }
}

function findEndpoint({ path, query }: ReceivedRequest, caller: KeyHolder, hooks: PlatformHooks): Endpoint {
  const ending = hooks.endingSlash(hooks.mergeSlashes(path))
  const wanted = 'lookUp' in ending ? ending.lookUp : ending.redirectTo
  const found = lookUp(wanted, hooks)
  if (found === undefined) return caller.reject('path', hooks.unknownEndpoint())
  if ('lookUp' in ending && !found.lacksVersion) return found.endpoint
  const location = found.lacksVersion ? `/v1${wanted}` : wanted
  return caller.reject('path', hooks.redirect(query === '' ? location : `${location}?${query}`))
}

interface EndpointLookup {
  readonly endpoint: Endpoint
  /** Whether the version must be added in front. */
  readonly lacksVersion: boolean
}

function lookUp(path: string, hooks: PlatformHooks): EndpointLookup | undefined {
  const [root, ...decoded] = path.split('/').map(hooks.decodeSegment)
  if (root !== '' || !decoded.every((segment) => segment !== undefined)) return undefined
  const hasVersion = hooks.isVersion(decoded[0] ?? '')
  if (!hasVersion && hooks.withoutVersion === 'unknown') return undefined
  const endpoint = endpointAt(hasVersion ? decoded.slice(1) : decoded, hooks)
  return endpoint && { endpoint, lacksVersion: !hasVersion && hooks.withoutVersion === 'redirected' }
}

function endpointAt(segments: readonly string[], hooks: PlatformHooks): Endpoint | undefined {
  const is = (known: readonly string[]) =>
    segments.length === known.length && segments.every((segment, at) => hooks.sameSegment(segment, `${known[at]}`))
  if (is(['account'])) return { name: 'account', id: '' }
  if (is(['trading-accounts'])) return { name: 'trading-accounts', id: '' }
  if (hooks.listSegments !== undefined && is(hooks.listSegments)) return { name: 'list', id: '' }
  const [collection = '', id = '', ...more] = segments
  const isSingle = hooks.showsSingleAccounts && id !== '' && more.length === 0
  return isSingle && hooks.sameSegment(collection, 'trading-accounts') ? { name: 'trading-account', id } : undefined
}
