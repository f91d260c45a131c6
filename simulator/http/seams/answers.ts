import type { IncomingMessage } from 'node:http'
import type { Rule } from '../../model/rule.ts'
import type { RuleList } from '../../model/rule-list.ts'
import type { Answer, Json } from '../../server/answer.ts'
import type { ParseProblem } from '../../server/api.ts'
import { writeJson } from '../../server/json.ts'
import { Refusal } from '../../server/refusal.ts'

export interface StatusFacts {
  readonly plugin: string
  readonly version: string
  readonly licenseActive: boolean
  readonly rules: RuleList
  readonly port: number
}

/** What the answers say (clause 2.3, 2.4, 4.2, 7). */
export interface AnswersSeams {
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
  /** A request that HTTP/1.1 forbids: without a Host header. */
  readonly missingHost: () => Refusal
  readonly unparsable: (problem: ParseProblem) => Refusal
  /** An exception that nobody foresaw. */
  readonly unexpected: (error: unknown) => Refusal
  /** The last word on an answer, whichever it is. */
  readonly finish: (answer: Answer, request: IncomingMessage) => Answer
}

const parseProblems: Readonly<Record<ParseProblem, readonly [number, string]>> = {
  malformed: [400, 'Bad request: this is not valid HTTP.'],
  'headers-too-large': [431, 'The header fields are too large.'],
  'timed-out': [408, 'The request did not arrive in time.'],
}

export function answersSeams(): AnswersSeams {
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
    bodyHeaders: () => ({ 'Content-Type': 'application/json; charset=utf-8' }),
    missingHost: () => new Refusal(400, 'Bad request: the Host header is missing.'),
    unparsable: (problem) => new Refusal(...parseProblems[problem]),
    unexpected: () => new Refusal(500, 'Internal server error.'),
    finish: (answer) => answer,
  }
}
