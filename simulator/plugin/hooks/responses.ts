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

/** What the answers say (clause 2.3, 2.4, 4.2, 7). */
export interface ResponseHooks {
  readonly statusBody: (facts: StatusFacts) => Json
  /** One rule as the list shows it. */
  readonly ruleBody: (rule: Rule, index: number) => Json
  /** The list, from what `ruleBody` made of its rules. */
  readonly listBody: (rules: readonly Json[]) => Json
  /** The written list: the one kept since the last change, or else a new one. */
  readonly writtenList: (kept: Uint8Array | undefined, write: () => Uint8Array) => Uint8Array
  readonly addedBody: (rule: Rule, index: number) => Json
  readonly addedStatus: number
  readonly removedBody: () => Json
  readonly errorBody: (message: string, status: number) => Json
  readonly encodeJson: (value: Json) => Uint8Array
  /** The headers of every answer that has a body. */
  readonly bodyHeaders: () => Readonly<Record<string, string>>
  /** The words behind a status; undefined for the usual ones. */
  readonly reasonPhrase: (status: number) => string | undefined
  /** A request that HTTP/1.1 forbids: without a Host header. */
  readonly missingHost: () => ErrorResponse
  /** `code` is the name that the parser has for the fault. */
  readonly unparsable: (problem: ParseProblem, code: string) => ErrorResponse
  /** An exception that nobody foresaw. */
  readonly unexpected: (error: unknown) => ErrorResponse
  /** The last word on an answer, whichever it is. */
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
    writtenList: (kept, write) => kept ?? write(),
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
