import type { Caller } from '../../server/caller.ts'
import type { ReceivedRequest } from '../../server/receive.ts'
import type { Hooks } from '../hooks/hooks.ts'
import type { OperationName } from '../hooks/method.ts'
import type { Endpoint } from '../hooks/path.ts'
import type { Service } from '../service.ts'

/** The requested operation. */
export interface Route {
  readonly operation: OperationName
  /** The last segment of `/api/rules/{index}`; empty for other paths. */
  readonly indexText: string
  readonly query: string
  /** The methods of the path. */
  readonly allow: readonly string[]
}

/** Finds the operation by path and method: 404 for an unknown path, 405 for another method (clause 7). */
export function route(received: ReceivedRequest, caller: Caller, { hooks }: Service): Route {
  const endpoint = findEndpoint(received, caller, hooks)
  const errorResponse = endpoint.name === 'rule' ? undefined : hooks.judgeQuery(received.query)
  if (errorResponse !== undefined) caller.reject('path', errorResponse)
  const methods = hooks.methodsOf(endpoint.name)
  const allow = [...methods.keys()]
  const operation = methods.get(received.method) ?? caller.reject('method', hooks.methodNotAllowed(allow))
  return { operation, indexText: endpoint.indexText, query: received.query, allow }
}

function findEndpoint({ method, path, query }: ReceivedRequest, caller: Caller, hooks: Hooks): Endpoint {
  const merged = hooks.mergeSlashes(path)
  // A trailing slash leaves the index empty here, and an empty index is invalid.
  if (method === 'DELETE' && lookUp(merged.slice(0, -1), hooks)?.name === 'rules' && merged.endsWith('/')) {
    return { name: 'rule', indexText: '' }
  }
  const ending = hooks.endingSlash(merged)
  const known = lookUp('lookUp' in ending ? ending.lookUp : ending.redirectTo, hooks)
  if (known === undefined) return caller.reject('path', hooks.unknownEndpoint())
  if ('lookUp' in ending) return known
  return caller.reject('path', hooks.redirect(query === '' ? ending.redirectTo : `${ending.redirectTo}?${query}`))
}

function lookUp(path: string, hooks: Hooks): Endpoint | undefined {
  const [root, ...segments] = path.split('/').map(hooks.decodeSegment)
  const [api, collection, index, ...more] = segments
  const is = (segment: string | undefined, known: string) => segment !== undefined && hooks.sameSegment(segment, known)
  if (root !== '' || !is(api, 'api') || more.length > 0) return undefined
  if (segments.length === 2 && is(collection, 'status')) return { name: 'status', indexText: '' }
  if (segments.length === 2 && is(collection, 'rules')) return { name: 'rules', indexText: '' }
  return is(collection, 'rules') && index ? { name: 'rule', indexText: index } : undefined
}
