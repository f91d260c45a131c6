import type { IncomingMessage } from 'node:http'
import type { ParseProblem } from '../../server/api.ts'
import { ErrorResponse } from '../../server/error-response.ts'
import { writeJson } from '../../server/json.ts'
import { parseProblemResponse } from '../../server/parse-error.ts'
import type { HttpResponse, Json } from '../../server/response.ts'
import type { Rule } from '../model/rule.ts'
import type { RuleList } from '../model/rule-list.ts'
import type { Wording } from '../profile/wording.ts'

export interface StatusFacts {
  readonly plugin: string
  readonly version: string
  readonly licenseActive: boolean
  readonly rules: RuleList
  readonly port: number
}

/** The content of the responses (clause 2.3, 2.4, 4.2, 7). */
export interface ResponseHooks {
  readonly statusBody: (facts: StatusFacts) => Json
  /** One rule as the list shows it. */
  readonly ruleBody: (rule: Rule, index: number) => Json
  /** The list, from the results of `ruleBody`. */
  readonly listBody: (rules: readonly Json[]) => Json
  /** The encoded list: the cached one, or a new one. */
  readonly writtenList: (cached: Uint8Array | undefined, write: () => Uint8Array) => Uint8Array
  readonly addedBody: (rule: Rule, index: number) => Json
  readonly addedStatus: number
  readonly removedBody: () => Json
  readonly errorBody: (message: string, status: number) => Json
  readonly encodeJson: (value: Json) => Uint8Array
  /** The headers of every response with a body. */
  readonly bodyHeaders: () => Readonly<Record<string, string>>
  /** The reason phrase of a status; undefined for the standard one. */
  readonly reasonPhrase: (status: number) => string | undefined
  /** The response to a request without a Host header, which HTTP/1.1 requires. */
  readonly missingHost: () => ErrorResponse
  /** `code` is the parser's name of the error. */
  readonly unparsable: (problem: ParseProblem, code: string) => ErrorResponse
  /** The error response to an unexpected exception. */
  readonly unexpected: (error: unknown) => ErrorResponse
  /** Runs last on every response, before it is sent. */
  readonly finish: (response: HttpResponse, request: IncomingMessage) => HttpResponse
}

export function responseHooks({ headers, reasonPhrases }: Wording): ResponseHooks {
  return {
    statusBody: ({ plugin, version, licenseActive, rules, port }) => ({
      plugin,
      version,
      license_active: licenseActive,
      rules_loaded: rules.length,
      api_port: port,
    }),
    ruleBody: ({ master, follower, mode, value, direction }, index) => ({
      index,
      master,
      follower,
      mode,
      value,
      direction,
    }),
    listBody: (rules) => ({ rules, total: rules.length }),
    writtenList: (cached, write) => cached ?? write(),
    addedBody: ({ master, follower }, index) => ({ success: true, index, master, follower }),
    addedStatus: 201,
    removedBody: () => ({ success: true }),
    errorBody: (message) => ({ error: message }),
    encodeJson: writeJson,
    bodyHeaders: () => ({ 'Content-Type': headers['Content-Type'] }),
    reasonPhrase: (status) => reasonPhrases[status],
    missingHost: () => new ErrorResponse(400, 'Bad request: the Host header is missing.'),
    unparsable: parseProblemResponse,
    unexpected: () => new ErrorResponse(500, 'Internal server error.'),
    finish: (response) => response,
  }
}
