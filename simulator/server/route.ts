import type { ApiHooks, EndpointRow } from './api.ts'
import type { Caller, ReceivedRequest } from './receive.ts'
import { ErrorResponse, fillIn } from './response.ts'

export interface Endpoint<Name extends string> {
  readonly row: Pick<EndpointRow<Name, string>, 'name' | 'hasQuery'>
  /** The value of the path parameter, e.g. of `:index`; empty if there is none. */
  readonly parameter: string
  /** Where the path redirects to; undefined if it is correct. */
  readonly redirectTo?: string | undefined
}

export type Route<Operation extends string> = ReturnType<typeof findRoute<string, Operation>>

interface RoutingHooks<Name extends string, Operation extends string>
  extends Pick<ApiHooks<Name, Operation>, 'mergeSlashes' | 'redirectsMerged' | 'endingSlash' | 'methodsOf'> {
  readonly unknownEndpoint: () => ErrorResponse
  readonly redirect: (location: string) => ErrorResponse
  readonly judgeQuery: (query: string) => ErrorResponse | undefined
  readonly methodNotAllowed: (allow: readonly string[], method: string) => ErrorResponse
}

/** The operation of a request. `lookUp` knows the paths; `known` is the endpoint if the path does not name it. */
export function findRoute<Name extends string, Operation extends string>(
  received: ReceivedRequest,
  caller: Caller,
  hooks: RoutingHooks<Name, Operation>,
  lookUp: (path: string) => Endpoint<Name> | undefined,
  known?: Endpoint<Name>,
) {
  const { row, parameter } = known ?? findEndpoint(received, caller, hooks, lookUp)
  const { method, query } = received
  const errorResponse = row.hasQuery ? undefined : hooks.judgeQuery(query)
  if (errorResponse !== undefined) caller.reject('path', about(received, errorResponse))
  const methods = hooks.methodsOf(row.name)
  const operation = methods.get(method)
  const allow = () => [...methods.keys()]
  if (operation !== undefined) return { operation, parameter, query, allow }
  return caller.reject('method', about(received, hooks.methodNotAllowed(allow(), method)))
}

/** The endpoint at a path, with slashes handled as the profile says. */
function findEndpoint<Name extends string>(
  received: ReceivedRequest,
  caller: Caller,
  hooks: RoutingHooks<Name, string>,
  lookUp: (path: string) => Endpoint<Name> | undefined,
): Endpoint<Name> {
  const { path, query } = received
  const merged = hooks.mergeSlashes(path)
  const isRedirected = hooks.redirectsMerged && merged !== path
  const ending = hooks.endingSlash(merged)
  const wanted = 'lookUp' in ending ? ending.lookUp : ending.redirectTo
  const found = lookUp(wanted)
  if (found === undefined) return caller.reject('path', about(received, hooks.unknownEndpoint()))
  if ('lookUp' in ending && found.redirectTo === undefined && !isRedirected) return found
  const location = found.redirectTo ?? wanted
  return caller.reject('path', hooks.redirect(query === '' ? location : `${location}?${query}`))
}

/** An error response with `{method}` and `{path}` replaced. */
function about({ method, path }: ReceivedRequest, error: ErrorResponse): ErrorResponse {
  const text = fillIn(error.message, { method, path })
  return text === error.message ? error : new ErrorResponse(error.status, text, error.headers)
}

/** The decoded segments of a path; undefined if one cannot be decoded, or the path does not start with a slash. */
export function segmentsOf(path: string, { decodeSegment }: Pick<ApiHooks<string, string>, 'decodeSegment'>) {
  const [root, ...segments] = path.split('/').map(decodeSegment)
  return root === '' && segments.every((segment) => segment !== undefined) ? segments : undefined
}

export function endpointAt<Name extends string, Operation extends string>(
  segments: readonly string[] | undefined,
  { endpoints, sameSegment }: Pick<ApiHooks<Name, Operation>, 'endpoints' | 'sameSegment'>,
): Endpoint<Name> | undefined {
  for (const { row, known, parameterAt } of segments === undefined ? [] : endpoints) {
    const fits = (segment: string, at: number) =>
      at === parameterAt ? segment !== '' : sameSegment(segment, known[at] ?? '')
    if (segments?.length === known.length && segments.every(fits))
      return { row, parameter: segments[parameterAt] ?? '' }
  }
  return undefined
}
