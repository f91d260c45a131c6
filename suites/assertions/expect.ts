import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../client/json.ts'
import { type HttpResponse, isSuccess } from '../client/response.ts'
import { contentLine, isSameList, type Rule } from '../model/rule.ts'
import { differenceBetween, shapeOf } from './difference.ts'
import { FailedExpectation, failureOf } from './failure.ts'
import { excerptAround, type Json, toJsonValue } from './failure-data.ts'
import type { FailureCode, failureTexts } from './failure-texts.ts'

/** The names in braces in a text, but not the braces in JSON. */
type NamesIn<Text> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${string} ${string}` ? never : Name) | NamesIn<Rest>
  : never

/** The names in the text of a code besides `expected` and `actual`. */
type DetailOf<Code extends FailureCode> = Exclude<NamesIn<(typeof failureTexts)[Code][number]>, 'expected' | 'actual'>

type Sides<Code extends FailureCode> = {
  readonly expected?: unknown
  readonly actual?: unknown
  /** Default: the difference between the two sides, see `differenceBetween`. */
  readonly difference?: Json
} & { readonly [Name in Exclude<DetailOf<Code>, 'body'>]: Json } & ('body' extends DetailOf<Code>
    ? { readonly response: HttpResponse }
    : { readonly response?: Pick<HttpResponse, 'exchange'> & Partial<HttpResponse> })

/** A failed expectation. `response` is the one to show, if it is not the last one; the text may show its body. */
export function failure<Code extends FailureCode>(code: Code, sides: Sides<Code>): FailedExpectation {
  const { expected, actual, difference, response, ...details } = sides as Sides<PlainCode>
  return new FailedExpectation(
    code,
    {
      ...(details as Readonly<Record<string, Json>>),
      expected: toJsonValue(expected),
      actual: toJsonValue(actual),
      ...(response?.text !== undefined && { body: response.unreadReason ?? response.text }),
      difference: difference === undefined ? differenceBetween(actual, expected) : difference,
    },
    { exchange: response?.exchange ?? null },
  )
}

export function expectThat<Code extends FailureCode>(holds: boolean, code: Code, sides: Sides<Code>): void {
  if (!holds) throw failure(code, sides)
}

export type ExpectedStatus = 200 | 201 | 400 | 401 | 404 | 405 | 500

/** At least one status. 414 and 431 are only allowed along with others. */
export type OneOrMoreStatuses = readonly [ExpectedStatus, ...(ExpectedStatus | 301 | 302 | 307 | 308 | 414 | 431)[]]

/** The response has this status, or for a success any 2xx. The checks of an operation use `expectExactStatus`. */
export function expectStatus(response: HttpResponse, status: ExpectedStatus): void {
  if (status >= 300 || !isSuccess(response)) expectExactStatus(response, status)
}

export function expectExactStatus(response: HttpResponse, status: ExpectedStatus): void {
  expectStatusKind(response, response.status === status, `response.status-not-${status}`, status)
}

export function expectOneStatus(response: HttpResponse, statuses: OneOrMoreStatuses): void {
  const isAllowed = statuses.some((status) => status === response.status)
  if (statuses.length === 1) expectStatus(response, statuses[0])
  else expectStatusKind(response, isAllowed, 'response.status-not-allowed', statuses.join(' or '))
}

export function expectResponse(response: HttpResponse | undefined, status: ExpectedStatus): void {
  expectStatus(received(response), status)
}

export function received(response: HttpResponse | undefined): HttpResponse {
  if (response !== undefined) return response
  throw failure('response.missing', { reason: 'no response', difference: null })
}

type StatusCode =
  | `request.${'accepted' | 'successful'}`
  | `response.not-${'success' | 'client-error'}`
  | `response.status-not-${ExpectedStatus | 'allowed'}`

/** The status is as expected. Any other one distinguishes the failure. */
export function expectStatusKind(response: HttpResponse, holds: boolean, code: StatusCode, expected?: number | string) {
  const { status: actual, json } = response
  // The content of lists is left out, since it depends on the target.
  const difference = { status: actual, body: shapeOf(json, 1) }
  expectThat(holds, code, { expected, actual, difference, response })
}

/** The server rejected the request: its status is 400 or above. */
export function expectErrorResponse(response: HttpResponse): void {
  expectStatusKind(response, response.status >= 400, 'request.accepted')
}

/** A code whose text has no names besides `expected` and `actual`. */
export type PlainCode = { [Code in FailureCode]: DetailOf<Code> extends never ? Code : never }[FailureCode]

/** Two values are equal. Their numbers and strings change from run to run. */
export function expectEqual(code: PlainCode, actual: unknown, expected: unknown): void {
  // JSON can have -0, which is 0.
  if (actual !== expected && !isDeepStrictEqual(actual, expected))
    throw failure(code, { expected, actual } as Sides<PlainCode>)
}

/** Two values are equal. They are the same in every run, so they distinguish failures. */
export function expectExactly(code: PlainCode, actual: unknown, expected: unknown): void {
  if (isDeepStrictEqual(actual, expected)) return
  throw failure(code, { expected, actual, difference: exactDifference(actual, expected) } as Sides<PlainCode>)
}

/** In a check that tries several values, only the absence of a value is the same in each run. */
export function exactDifference(actual: unknown, expected: unknown): Json {
  return actual === undefined ? 'missing' : [toJsonValue(expected) ?? null, toJsonValue(actual) ?? null]
}

export function expectObject(response: HttpResponse): Readonly<Record<string, unknown>> {
  const { json } = response
  if (isObject(json)) return json
  throw failure('body.not-object', { difference: shapeOf(json), response })
}

/** The body is `{ error: string }` (clause 7). */
export function expectError(response: HttpResponse): void {
  const body = expectObject(response)
  expectThat(typeof body.error === 'string', 'error.text-missing', { difference: shapeOf(body.error), response })
}

/** The failure of an error response that is not `{ error: string }`; null if it is. */
export function malformedErrorIn(response: HttpResponse): FailedExpectation | null {
  const failed = failureOf(() => expectError(response))
  if (failed === null) return null
  return failed.with({ difference: { status: response.status, body: failed.data.difference } })
}

/** The body has a boolean `success` (clause 4.2). */
export function expectBooleanSuccess(response: HttpResponse): void {
  const { success: actual } = expectObject(response)
  expectThat(typeof actual === 'boolean', 'body.success-not-boolean', { actual, difference: shapeOf(actual) })
}

export function expectSuccess(response: HttpResponse): void {
  expectExactly('body.success-not-true', expectObject(response).success, true)
}

/** Content-Type is application/json, with any parameters. */
export function expectJsonType(response: HttpResponse): void {
  const type = response.headers['content-type']
  const mediaType = type?.split(';')[0]?.trim().toLowerCase()
  expectThat(mediaType === 'application/json', 'header.content-type-not-json', {
    expected: 'application/json',
    actual: type ?? 'no Content-Type',
    difference: mediaType ?? null,
    response,
  })
}

/** The list is the same as before: same rules, same order, same indices. */
export function expectUnchanged(actual: readonly Rule[], before: readonly Rule[], code: PlainCode = 'list.changed') {
  // Lists are long, and are compared after each request that must not change them.
  if (isSameList(actual, before)) return
  const lineOf = (rule: Rule) => `#${rule.index} ${contentLine(rule)}`
  expectLines(code, actual.map(lineOf), before.map(lineOf))
}

/** The rules have these contents in this order, whatever their indices. */
export function expectContents(
  actual: readonly Rule[],
  expected: readonly Rule[],
  code: PlainCode = 'list.contents-wrong',
): void {
  expectLines(code, actual.map(contentLine), expected.map(contentLine))
}

/** The lines are the expected ones in any order. A failure shows them in the expected order. */
export function expectSameLines(code: PlainCode, actual: readonly string[], expected: readonly string[]): void {
  // Equal lines share a position.
  const places = new Map(expected.map((line, place) => [line, place]))
  const placeOf = (line: string) => places.get(line) ?? expected.length
  const inOrder = (lines: readonly string[]) => lines.toSorted((one, other) => placeOf(one) - placeOf(other))
  expectLines(code, inOrder(actual), inOrder(expected))
}

/** Two lists of lines are equal. A failure shows where they differ. */
export function expectLines(code: PlainCode, actual: readonly string[], expected: readonly string[]): void {
  const at = expected.findIndex((line, i) => line !== actual[i])
  if (at === -1 && actual.length === expected.length) return
  const from = at === -1 ? expected.length : at
  throw failure(code, {
    expected: excerptAround(expected, from),
    actual: excerptAround(actual, from),
    difference: differenceBetween(actual, expected),
  } as Sides<PlainCode>)
}
