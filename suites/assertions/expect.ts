import { isDeepStrictEqual } from 'node:util'
import type { HttpResponse } from '../client/response.ts'
import { contentLine, type Rule } from '../model/rule.ts'
import { FailedExpectation } from './failure.ts'

/** The answer has this status, or one of these. */
export function expectStatus(answer: HttpResponse, ...statuses: readonly number[]): void {
  if (statuses.includes(answer.status)) return
  throw new FailedExpectation(`the status is ${answer.status}`, {
    expected: `status ${statuses.join(' or ')}`,
    actual: `status ${answer.status}: ${shown(answer.text)}`,
    exchange: answer.exchange,
  })
}

/** The server did not accept the request: any status but 2xx (and 3xx, which is no refusal). */
export function expectRefused(answer: HttpResponse): void {
  if (answer.status >= 400) return
  throw new FailedExpectation('the request was accepted', {
    expected: 'a refusal (4xx or 5xx)',
    actual: `status ${answer.status}: ${shown(answer.text)}`,
    exchange: answer.exchange,
  })
}

/** Two values are equal; `what` names them in the message. */
export function expectEqual(what: string, actual: unknown, expected: unknown): void {
  if (isDeepStrictEqual(actual, expected)) return
  throw new FailedExpectation(`${what} is not as expected`, {
    expected: show(expected),
    actual: show(actual),
  })
}

/**
 * Something holds; `what` names the thing, `expected` and `actual` say the two sides in words, and
 * `answer` is the one that shows it where it need not be the last.
 */
export function expectThat(
  holds: boolean,
  what: string,
  sides: { readonly expected: string; readonly actual: unknown; readonly answer?: Pick<HttpResponse, 'exchange'> },
): void {
  if (holds) return
  const { expected, actual, answer } = sides
  throw new FailedExpectation(what, { expected, actual: show(actual), ...(answer && { exchange: answer.exchange }) })
}

/** The body is a JSON object; returns it. */
export function expectObject(answer: HttpResponse): Readonly<Record<string, unknown>> {
  const { json } = answer
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) return json as Record<string, unknown>
  throw new FailedExpectation('the body is no JSON object', {
    expected: 'a JSON object',
    actual: shown(answer.text),
    exchange: answer.exchange,
  })
}

/** The body is `{ error: string }` (clause 7). */
export function expectError(answer: HttpResponse): void {
  const { error } = expectObject(answer)
  expectThat(typeof error === 'string', 'the body has no error text', {
    expected: '{ "error": a string }',
    actual: answer.text,
    answer,
  })
}

/** The body says success (clause 4.2). */
export function expectSuccess(answer: HttpResponse): void {
  expectEqual('success', expectObject(answer).success, true)
}

/** Content-Type is application/json, with any parameters. */
export function expectJsonType(answer: HttpResponse): void {
  const type = answer.headers['content-type']
  const essence = type?.split(';')[0]?.trim().toLowerCase()
  expectThat(essence === 'application/json', 'the Content-Type is not application/json', {
    expected: 'application/json',
    actual: type ?? 'no Content-Type',
    answer,
  })
}

/** The list is the same as before: same rules, same order, same indices. */
export function expectUnchanged(actual: readonly Rule[], before: readonly Rule[]): void {
  const lineOf = (rule: Rule) => `#${rule.index} ${contentLine(rule)}`
  expectLines('the list has changed', actual.map(lineOf), before.map(lineOf))
}

/** The rules have these contents in this order, whatever their indices. */
export function expectContents(actual: readonly Rule[], expected: readonly Rule[]): void {
  expectLines('the rules are not the expected ones', actual.map(contentLine), expected.map(contentLine))
}

/** Two lists of lines are equal; shows the place where they differ. */
export function expectLines(what: string, actual: readonly string[], expected: readonly string[]): void {
  const at = expected.findIndex((line, i) => line !== actual[i])
  if (at === -1 && actual.length === expected.length) return
  const from = at === -1 ? expected.length : at
  throw new FailedExpectation(what, {
    expected: around(expected, from),
    actual: around(actual, from),
  })
}

// A list can be thousands of rules long; only the place where it differs is of interest.
function around(lines: readonly string[], at: number): string {
  const start = Math.max(0, at - 2)
  const shown = lines.slice(start, at + 4).map((line, i) => `[${start + i}] ${line}`)
  const rest = lines.length - start - shown.length
  return [`${lines.length} rules`, ...(start > 0 ? ['…'] : []), ...shown, ...(rest > 0 ? ['…'] : [])].join('\n')
}

function show(value: unknown): string {
  if (typeof value === 'string') return shown(value)
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner))
  return shown(text)
}

function shown(text: string): string {
  if (text === '') return '(empty)'
  return text
}
