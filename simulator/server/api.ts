import type { IncomingMessage } from 'node:http'
import type { Mutex } from 'async-mutex'
import { writeJson } from './json.ts'
import type { LogEntry } from './log.ts'
import type { ReceivedRequest } from './receive.ts'
import { Dropped, ErrorResponse, type HttpResponse, type Json, type Rejection, type RequestPart } from './response.ts'
import { decodeSegment, splitTarget } from './target.ts'

/** Why the HTTP parser rejected a request. */
export type ParseProblem = 'malformed' | 'headers-too-large' | 'timed-out'

/** How to handle a request with a method that the HTTP parser does not know. */
export type UnknownMethodOutcome = Rejection | { readonly replaceBy: string }

/** An HTTP API: how it responds to requests, and to bytes that are not a request. */
export interface HttpApi extends Readonly<Pick<ApiHooks<string, string>, 'unexpected' | 'finish' | 'unparsable'>> {
  /** Called when a request has arrived. Without it nothing follows requests. */
  readonly track?: (request: IncomingMessage) => Track
  /** The request pipeline. Throws an ErrorResponse or Dropped if the request is rejected. */
  readonly respond: (request: IncomingMessage, track?: Track) => Promise<HttpResponse>
  /** Writes the error response in the format of the API. */
  readonly renderError: (errorResponse: ErrorResponse) => HttpResponse
  /** The reason phrase of a status; undefined for the standard one. */
  readonly reasonPhrase?: (status: number) => string | undefined
  /** A standard method that is not in upper case: `get`. */
  readonly lowerCaseMethod: (method: string) => UnknownMethodOutcome
  /** A method that is not standard: `BREW`. */
  readonly unknownMethod: (method: string) => UnknownMethodOutcome
  /** False closes every connection at once. */
  readonly acceptsConnections: boolean
  readonly log: (entry: LogEntry) => void
}

/** The stages of the request pipeline, in order. */
export type StageName = 'receive' | 'authenticate' | 'route' | 'read body' | 'validate' | 'apply' | 'save' | 'render'

/** Follows one request. */
export interface Track {
  operation: string | null
  /** The id of the fault that is played on it. */
  fault: string | null
  onStage(name: StageName): void
  onResponse(response: HttpResponse): void
  /** The request has its response, or gets none. */
  onEnd(): void | Promise<void>
}

/** A documented path, and the operation of each method. */
export interface EndpointRow<Name extends string, Operation extends string> {
  readonly name: Name
  /** E.g. `/api/rules/:index`, where `:index` stands for any segment. */
  readonly path: string
  readonly operations: Readonly<Record<string, Operation>>
  /** Whether its query has a meaning, and is not validated like that of other paths. */
  readonly hasQuery?: true
}

type SharedPoint =
  | `auth.before-${RequestPart}`
  | `path.${'case' | 'double-slash' | 'trailing-slash'}`
  | `method.${'head' | 'options'}`

/** The decisions of an API and its profile about any request. */
export interface ApiRules<Name extends string, Operation extends string> {
  readonly endpoints: readonly EndpointRow<Name, Operation>[]
  /** The profile's answer to a question that each API has. */
  readonly answer: (point: SharedPoint) => string
  /** The answer for a body of more than 1 MiB: `accepted`, `closed` or a status. */
  readonly sizeLimit: string
  readonly texts: { readonly tooLarge: string; readonly notSaved: string }
}

/** The hooks of any JSON API. Plugin and platform add their own, or replace some. */
export type ApiHooks<Name extends string, Operation extends string> = ReturnType<typeof apiHooks<Name, Operation>>

export function apiHooks<Name extends string, Operation extends string>(rules: ApiRules<Name, Operation>) {
  const { endpoints, answer, sizeLimit, texts } = rules
  const methods = new Map(endpoints.map(({ name, operations }) => [name, methodsFor(operations, answer)]))
  return {
    // How the request line and headers are read.
    endpoints: endpoints.map(splitPath),
    splitTarget,
    /** A decoded segment of the path; undefined if it cannot be decoded. */
    decodeSegment,
    sameSegment: (segment: string, known: string): boolean =>
      (answer('path.case') === 'insensitive' ? segment.toLowerCase() : segment) === known,
    /** Removes the empty segments of repeated slashes, or leaves them. */
    mergeSlashes: (path: string): string =>
      answer('path.double-slash') === 'unknown' ? path : path.replace(/\/+/g, '/'),
    redirectsMerged: answer('path.double-slash') === 'redirected',
    /** How a trailing slash is handled: the path to look up, or the path to redirect to. */
    endingSlash: (path: string): { readonly lookUp: string } | { readonly redirectTo: string } => {
      if (answer('path.trailing-slash') === 'unknown' || !path.endsWith('/')) return { lookUp: path }
      const without = path.slice(0, -1)
      return answer('path.trailing-slash') === 'ignored' ? { lookUp: without } : { redirectTo: without }
    },
    redirect: (location: string): ErrorResponse =>
      new ErrorResponse(308, `The path is ${location}`, { Location: location }),
    methodsOf: (endpoint: Name): ReadonlyMap<string, Operation | 'show-methods'> => methods.get(endpoint) ?? new Map(),
    /** The response to OPTIONS, if it is served. */
    showMethods: (allow: readonly string[]): { readonly status: number; readonly allow: string } => ({
      status: Number(answer('method.options')),
      allow: allow.join(', '),
    }),
    /** Whether this request needs a key. `_key` is that of the server, if it has one for all; empty if it is disabled. */
    asksForKey: (_received: ReceivedRequest, _key?: string): boolean => true,
    /** The concerns that are reported before a missing or wrong key. */
    disclosedWithoutAuth: (['path', 'method', 'body'] as const).filter(
      (part) => answer(`auth.before-${part}`) === 'after',
    ),
    /** The response to a request without a Host header, which HTTP/1.1 requires. */
    missingHost: (): ErrorResponse => new ErrorResponse(400, 'Bad request: the Host header is missing.'),

    // How a body is received.
    bodyLimitBytes: sizeLimit === 'accepted' ? generousLimitBytes : mebibyte,
    oversized: (): Rejection =>
      sizeLimit === 'closed' ? new Dropped() : new ErrorResponse(Number(sizeLimit) || 400, texts.tooLarge),
    joinBody: (packets: readonly Uint8Array[]): Uint8Array => Buffer.concat(packets),
    /** The bytes to use of an incomplete body. @throws Dropped, since the client has disconnected */
    partialBody: (_bytes: Uint8Array): Uint8Array => {
      throw new Dropped('The body was cut off.')
    },
    stripByteOrderMark: (text: string): string => text,

    // How responses are written, and changes saved.
    encodeJson: (value: Json): Uint8Array => writeJson(value),
    /** `code` is Node's code of the parser error. */
    unparsable: (problem: ParseProblem, _code: string): ErrorResponse => new ErrorResponse(...problems[problem]),
    unexpected: (_error: unknown): ErrorResponse => new ErrorResponse(500, 'Internal server error.'),
    /** Runs last on every response, before it is sent. */
    finish: (response: HttpResponse, _request: IncomingMessage): HttpResponse => response,
    serialise,
    notSaved: (): ErrorResponse => new ErrorResponse(500, texts.notSaved),
  }
}

const problems: Readonly<Record<ParseProblem, readonly [number, string]>> = {
  malformed: [400, 'Bad request: this is not valid HTTP.'],
  'headers-too-large': [431, 'The header fields are too large.'],
  'timed-out': [408, 'The request did not arrive in time.'],
}

const mebibyte = 1024 * 1024
/** The limit if the profile accepts large bodies, so that a body cannot exhaust the memory. */
const generousLimitBytes = 64 * mebibyte

function splitPath<Row extends Pick<EndpointRow<string, string>, 'path'>>(row: Row) {
  const known = row.path.split('/').slice(1)
  return { row, known, parameterAt: known.findIndex((name) => name.startsWith(':')) }
}

function methodsFor<Operation extends string>(
  operations: Readonly<Record<string, Operation>>,
  answer: (point: SharedPoint) => string,
): ReadonlyMap<string, Operation | 'show-methods'> {
  const { GET: read } = operations
  return new Map<string, Operation | 'show-methods'>([
    ...Object.entries(operations),
    ...(answer('method.head') === 'allowed' && read !== undefined ? [['HEAD', read] as const] : []),
    ...(/^2/.test(answer('method.options')) ? [['OPTIONS', 'show-methods'] as const] : []),
  ])
}

/** Runs a change after all earlier ones. */
export function serialise<Result>(mutex: Mutex, change: () => Promise<Result>): Promise<Result> {
  return mutex.runExclusive(change)
}

/** Undefined if the request gets no response. An unexpected error is logged, and its cause not disclosed. */
export function errorToResponse(error: unknown, api: Pick<HttpApi, 'renderError' | 'unexpected' | 'log'>) {
  if (error instanceof Dropped) return undefined
  if (error instanceof ErrorResponse) return api.renderError(error)
  api.log({ level: 'error', event: 'unexpected-error', reason: error instanceof Error ? error.stack : String(error) })
  return api.renderError(api.unexpected(error))
}
