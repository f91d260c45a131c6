import type { OperationName } from '../seams/method.ts'
import type { Endpoint } from '../seams/path.ts'
import type { PlatformSeams } from '../seams/seams.ts'
import type { PlatformService } from '../service.ts'
import type { KeyHolder } from './authenticate.ts'
import type { Received } from './receive.ts'

/** What the request asks for. */
export interface Route {
  readonly operation: OperationName
  /** The last segment of `/v1/trading-accounts/{id}`; empty elsewhere. */
  readonly id: string
  readonly query: string
  /** The methods that the path serves. */
  readonly allow: readonly string[]
}

/** Finds the operation by path and method. */
export function route(received: Received, caller: KeyHolder, { seams }: PlatformService): Route {
  const endpoint = findEndpoint(received, caller, seams)
  const refusal = endpoint.name === 'account' ? seams.judgeQuery(received.query) : undefined
  if (refusal !== undefined) caller.refuse('path', refusal)
  const methods = seams.methodsOf(endpoint.name)
  const allow = [...methods.keys()]
  const { method, query } = received
  const operation = methods.get(method) ?? caller.refuse('method', seams.methodNotAllowed(method, allow))
  return { operation, id: endpoint.id, query, allow }
}

function findEndpoint({ path, query }: Received, caller: KeyHolder, seams: PlatformSeams): Endpoint {
  const ending = seams.endingSlash(seams.mergeSlashes(path))
  const wanted = 'lookUp' in ending ? ending.lookUp : ending.redirectTo
  const found = lookUp(wanted, seams)
  if (found === undefined) return caller.refuse('path', seams.unknownEndpoint())
  if ('lookUp' in ending && !found.lacksVersion) return found.endpoint
  const location = found.lacksVersion ? `/v1${wanted}` : wanted
  return caller.refuse('path', seams.redirect(query === '' ? location : `${location}?${query}`))
}

interface LookedUp {
  readonly endpoint: Endpoint
  /** Whether the version has to be put in front first. */
  readonly lacksVersion: boolean
}

function lookUp(path: string, seams: PlatformSeams): LookedUp | undefined {
  const [root, ...decoded] = path.split('/').map(seams.decodeSegment)
  if (root !== '' || !decoded.every((segment) => segment !== undefined)) return undefined
  const hasVersion = seams.isVersion(decoded[0] ?? '')
  if (!hasVersion && seams.withoutVersion === 'unknown') return undefined
  const endpoint = endpointAt(hasVersion ? decoded.slice(1) : decoded, seams)
  return endpoint && { endpoint, lacksVersion: !hasVersion && seams.withoutVersion === 'redirected' }
}

function endpointAt(segments: readonly string[], seams: PlatformSeams): Endpoint | undefined {
  const is = (known: readonly string[]) =>
    segments.length === known.length && segments.every((segment, at) => seams.sameSegment(segment, `${known[at]}`))
  if (is(['account'])) return { name: 'account', id: '' }
  if (is(['trading-accounts'])) return { name: 'trading-accounts', id: '' }
  if (seams.listSegments !== undefined && is(seams.listSegments)) return { name: 'list', id: '' }
  const [collection = '', id = '', ...more] = segments
  const isSingle = seams.showsSingleAccounts && id !== '' && more.length === 0
  return isSingle && seams.sameSegment(collection, 'trading-accounts') ? { name: 'trading-account', id } : undefined
}
