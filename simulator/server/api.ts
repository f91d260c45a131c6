import type { IncomingMessage } from 'node:http'
import type { ErrorResponse, Rejection } from './error-response.ts'
import type { LogEntry } from './log.ts'
import type { HttpResponse } from './response.ts'
import type { Track } from './track.ts'

/** Why the HTTP parser gave a request up. */
export type ParseProblem = 'malformed' | 'headers-too-large' | 'timed-out'

/** What becomes of a request whose method the HTTP parser does not know. */
export type UnknownMethodOutcome = Rejection | { readonly replaceBy: string }

/** An HTTP API as the server sees it: how requests are answered, and what is no request. */
export interface HttpApi {
  /** Goes the way of a request. Throws a Refusal or Dropped where the request is not served. */
  readonly respond: (request: IncomingMessage, track?: Track) => Promise<HttpResponse>
  /** How the API words a refusal. */
  readonly renderError: (errorResponse: ErrorResponse) => HttpResponse
  /** An exception that nobody foresaw. */
  readonly unexpected: (error: unknown) => ErrorResponse
  /** The last word on an answer, whichever it is. */
  readonly finish: (response: HttpResponse, request: IncomingMessage) => HttpResponse
  /** `code` is the name that the parser has for the fault. */
  readonly unparsable: (problem: ParseProblem, code: string) => ErrorResponse
  /** The words behind a status; undefined for the usual ones. */
  readonly reasonPhrase?: (status: number) => string | undefined
  /** A method that HTTP knows, in another case: `get`. */
  readonly lowerCaseMethod: (method: string) => UnknownMethodOutcome
  /** A method that HTTP does not know: `BREW`. */
  readonly unknownMethod: (method: string) => UnknownMethodOutcome
  /** False closes every connection at once. */
  readonly acceptsConnections: boolean
  readonly log: (entry: LogEntry) => void
}
