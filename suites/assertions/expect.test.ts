import { expect, test } from 'vitest'
import { responseOf } from '../client/client.test-data.ts'
import type { Rule } from '../model/rule.ts'
import {
  expectContents,
  expectEqual,
  expectError,
  expectErrorResponse,
  expectExactStatus,
  expectJsonType,
  expectObject,
  expectStatus,
  expectSuccess,
  expectThat,
  expectUnchanged,
} from './expect.ts'
import { FailedExpectation } from './failure.ts'

function answer(status: number, body = '', headers: Readonly<Record<string, string>> = {}) {
  const request = { method: 'GET', url: '', headers: [], body: null }
  const exchange = { id: 'x1', startedAt: '', durationMs: 0, request, response: null, failure: null }
  return responseOf(status, headers, Buffer.from(body), exchange)
}

/** The failure of an expectation; null if it holds. */
function failureOf(expectation: () => unknown) {
  try {
    expectation()
    return null
  } catch (error) {
    if (!(error instanceof FailedExpectation)) throw error
    const { code, message, expected, actual } = error
    return { code, message, expected, actual }
  }
}

test('a status is as expected, or the failure shows both statuses', () => {
  expect(failureOf(() => expectStatus(answer(200), 200))).toBeNull()
  expect(failureOf(() => expectStatus(answer(500, '{"error":"full"}'), 404))).toEqual({
    code: 'response.status-not-404',
    message: 'The status is 500, not 404.',
    expected: 'status 404',
    actual: 'status 500: {"error":"full"}',
  })
  expect(failureOf(() => expectStatus(answer(204), 200))).toBeNull()
  expect(failureOf(() => expectExactStatus(answer(204), 200))?.actual).toBe('status 204: (empty)')
})

test.for([400, 401, 404, 405, 409, 422, 500, 503])('%i is an error response', (status) => {
  expect(failureOf(() => expectErrorResponse(answer(status)))).toBeNull()
})

test.for([200, 201, 202, 204, 301, 302, 399])('%i is not an error response', (status) => {
  expect(failureOf(() => expectErrorResponse(answer(status, 'fine')))).toEqual({
    code: 'request.accepted',
    message: 'The request was accepted.',
    expected: 'an error response (4xx or 5xx)',
    actual: `status ${status}: fine`,
  })
})

test.for([
  [1, 1],
  ['a', 'a'],
  [null, null],
  [undefined, undefined],
  [{ a: [1n] }, { a: [1n] }],
])('%o equals %o', ([actual, expected]) => {
  expect(failureOf(() => expectEqual('list.total-wrong', actual, expected))).toBeNull()
})

test.for([
  [1, 2, '1', '2'],
  ['1', 1, '1', '1'],
  [undefined, true, 'nothing', 'true'],
  [null, true, 'null', 'true'],
  ['', 'a', '(empty)', 'a'],
  [{ login: 2n ** 64n }, {}, '{"login":"18446744073709551616"}', '{}'],
  [1n, 1, '1', '1'],
] as const)('%o does not equal %o', ([actual, expected, shownActual, shownExpected]) => {
  expect(failureOf(() => expectEqual('list.total-wrong', actual, expected))).toEqual({
    code: 'list.total-wrong',
    message: '`total` is not the number of listed rules.',
    expected: shownExpected,
    actual: shownActual,
  })
})

test('a condition holds, or the failure has its code', () => {
  expect(failureOf(() => expectThat(true, 'add.index-not-integer', { actual: 'y' }))).toBeNull()
  expect(failureOf(() => expectThat(false, 'add.index-not-integer', { actual: 1.5 }))).toEqual({
    code: 'add.index-not-integer',
    message: '`index` is not an integer.',
    expected: 'an integer',
    actual: '1.5',
  })
})

test('a body that is a JSON object is returned', () => {
  expect(expectObject(answer(200, '{"a":18446744073709551615}'))).toEqual({ a: 2n ** 64n - 1n })
})

test.for(['', '[]', 'null', '7', '"a"', '{', '<html>'])('the body %j is not a JSON object', (body) => {
  expect(failureOf(() => expectObject(answer(200, body)))).toEqual({
    code: 'body.not-object',
    message: 'The body is not a JSON object.',
    expected: 'a JSON object',
    actual: body === '' ? '(empty)' : body,
  })
})

test('an error is a string', () => {
  expect(failureOf(() => expectError(answer(400, '{"error":"no","code":1}')))).toBeNull()
  expect(failureOf(() => expectError(answer(400, '{"error":""}')))).toBeNull()
  for (const body of ['{}', '{"error":null}', '{"error":{"message":"no"}}', '{"message":"no"}']) {
    expect(failureOf(() => expectError(answer(400, body)))).toEqual({
      code: 'error.text-missing',
      message: 'The body has no error text.',
      expected: '{ "error": a string }',
      actual: body,
    })
  }
  expect(failureOf(() => expectError(answer(400, 'no')))?.code).toBe('body.not-object')
})

test('only the boolean true counts as success', () => {
  expect(failureOf(() => expectSuccess(answer(200, '{"success":true}')))).toBeNull()
  expect(failureOf(() => expectSuccess(answer(200, '{"success":"true"}')))?.expected).toBe('true')
  for (const body of ['{"success":1}', '{"success":false}', '{}', 'true']) {
    expect(failureOf(() => expectSuccess(answer(200, body)))).not.toBeNull()
  }
})

test.for(['application/json', 'application/json; charset=utf-8', 'Application/JSON ;x=y'])('%s is JSON', (type) => {
  expect(failureOf(() => expectJsonType(answer(200, '', { 'content-type': type })))).toBeNull()
})

test.for(['text/json', 'application/problem+json', 'text/html; a=application/json', ''])('%j is not JSON', (type) => {
  expect(failureOf(() => expectJsonType(answer(200, '', { 'content-type': type })))).toEqual({
    code: 'header.content-type-not-json',
    message: 'The Content-Type is not `application/json`.',
    expected: 'application/json',
    actual: type === '' ? '(empty)' : type,
  })
})

test('a response without a Content-Type fails', () => {
  expect(failureOf(() => expectJsonType(answer(200)))?.actual).toBe('no Content-Type')
})

const rule = (index: number, changes: Partial<Rule> = {}): Rule => ({
  index,
  master: 1000 + index,
  follower: 2000,
  mode: 'mult',
  value: 1,
  direction: 'same',
  ...changes,
})
const list = (length: number) => Array.from({ length }, (_, index) => rule(index))

test('a list is unchanged if rules, order and indices are the same', () => {
  expect(failureOf(() => expectUnchanged(list(5), list(5)))).toBeNull()
  expect(failureOf(() => expectUnchanged([], []))).toBeNull()
  const moved = [rule(0), { ...rule(1), index: 2 }]
  expect(failureOf(() => expectUnchanged(moved, list(2)))).toEqual({
    code: 'list.changed',
    message: 'The list has changed.',
    expected: '2 rules\n[0] #0 1000>2000 mult 1 same\n[1] #1 1001>2000 mult 1 same',
    actual: '2 rules\n[0] #0 1000>2000 mult 1 same\n[1] #2 1001>2000 mult 1 same',
  })
})

test('for a long list the failure shows the first difference', () => {
  const actual = list(1_000).with(500, rule(500, { value: 7 }))
  const failure = failureOf(() => expectUnchanged(actual, list(1_000)))
  expect(failure?.actual.split('\n')).toEqual([
    '1000 rules',
    '…',
    '[498] #498 1498>2000 mult 1 same',
    '[499] #499 1499>2000 mult 1 same',
    '[500] #500 1500>2000 mult 7 same',
    '[501] #501 1501>2000 mult 1 same',
    '[502] #502 1502>2000 mult 1 same',
    '[503] #503 1503>2000 mult 1 same',
    '…',
  ])
  expect(failure?.expected).toContain('[500] #500 1500>2000 mult 1 same')
})

test('an extra rule and a missing rule are shown at the end of the list', () => {
  const longer = failureOf(() => expectUnchanged(list(4), list(3)))
  expect(longer?.actual).toContain('4 rules')
  expect(longer?.actual).toContain('[3] #3 1003>2000')
  expect(longer?.expected).not.toContain('[3]')
  const shorter = failureOf(() => expectUnchanged(list(3), list(4)))
  expect(shorter?.expected).toContain('[3] #3 1003>2000')
  expect(shorter?.actual).toContain('3 rules')
})

test('contents are compared in order, whatever the indices are', () => {
  const shifted = list(3).map((each) => ({ ...each, index: each.index + 1 }))
  expect(failureOf(() => expectContents(shifted, list(3)))).toBeNull()
  expect(failureOf(() => expectContents(list(3).toReversed(), list(3)))).toEqual({
    code: 'list.contents-wrong',
    message: 'The listed rules are not the expected ones.',
    expected: '3 rules\n[0] 1000>2000 mult 1 same\n[1] 1001>2000 mult 1 same\n[2] 1002>2000 mult 1 same',
    actual: '3 rules\n[0] 1002>2000 mult 1 same\n[1] 1001>2000 mult 1 same\n[2] 1000>2000 mult 1 same',
  })
})

test('a failure contains the whole text, since it is truncated only after redaction', () => {
  const { actual = '' } = failureOf(() => expectStatus(answer(500, 'x'.repeat(10_000)), 200)) ?? {}
  expect(actual).toMatch(/x{10000}$/)
})
