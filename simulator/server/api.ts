import type { IncomingMessage } from 'node:http'
import type { ApiHooks } from './api-hooks.ts'
import type { LogEntry } from './log.ts'
import type { ErrorResponse, HttpResponse, Rejection } from './response.ts'

/** Why the HTTP parser rejected a request. */
export type ParseProblem = 'malformed' | 'headers-too-large' | 'timed-out'

/** How to handle a request with a method that the HTTP parser does not know. */
export type UnknownMethodOutcome = Rejection | { readonly replaceBy: string }

/** An HTTP API: how it responds to requests, and to bytes that are not a request. */
export interface HttpApi extends Readonly<Pick<ApiHooks<string, string>, 'unexpected' | 'finish' | 'unparsable'>> {
  /** Called when a request has arrived. Default: nothing follows it. */
  readonly track?: (request: IncomingMessage) => Track
  /** The request pipeline. Throws an ErrorResponse or Dropped if the request is rejected. */
  readonly respond: (request: IncomingMessage, track: Track) => Promise<HttpResponse>
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
  onStage(name: StageName): void
  onOperation(name: string): void
  onFault(id: string): void
  /** A response was written directly to the socket. */
  onSent(response: HttpResponse): void
  /** The request gets this response, or none. */
  onEnd(response: HttpResponse | undefined): void | Promise<void>
}

const ignore = () => undefined

export const untracked: Track = {
  onStage: ignore,
  onOperation: ignore,
  onFault: ignore,
  onSent: ignore,
  onEnd: ignore,
}
