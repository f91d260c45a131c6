import { describe, expect, test } from 'vitest'
import { expectContents, expectEqual, expectExactly, expectStatus } from '../../suites/assertions/expect.ts'
import { FailedExpectation, renderFailure } from '../../suites/assertions/failure.ts'
import { type FailureCode, type FailureText, failureTexts } from '../../suites/assertions/failure-texts.ts'
import { responseOf } from '../../suites/client/client.test-data.ts'
import type { Rule } from '../../suites/model/rule.ts'
import { randomSignature, signatureOf } from './signature.ts'

function response(status: number, body: string) {
  const request = { method: 'GET', url: '', headers: [], body: null }
  const exchange = { id: 'x1', startedAt: '', durationMs: 0, request, response: null, failure: null }
  return responseOf(status, {}, Buffer.from(body), exchange)
}

const rule = (master: number, changes: Partial<Rule> = {}): Rule => ({
  index: 0,
  master,
  follower: 2001,
  mode: 'mult',
  value: 1,
  direction: 'same',
  ...changes,
})

function failureOf(expectation: () => void): FailedExpectation {
  try {
    expectation()
  } catch (error) {
    if (error instanceof FailedExpectation) return error
    throw error
  }
  throw new Error('the expectation holds')
}

function signature(expectation: () => void, id = 'CT-1'): string {
  const { code, data } = failureOf(expectation)
  return signatureOf({ id, code, data })
}

describe('the signature is the same', () => {
  test.for<[string, () => void, () => void]>([
    [
      'whatever a body says',
      () => expectStatus(response(500, '{"api_port":35891,"error":"failed at 10:00"}'), 200),
      () => expectStatus(response(500, '{"api_port":41,"error":"failed at 11:00"}'), 200),
    ],
    [
      'however many rules a body lists',
      () => expectStatus(response(200, '{"rules":[],"total":0}'), 401),
      () => expectStatus(response(200, '{"rules":[{"index":0}],"total":1}'), 401),
    ],
    [
      'whatever rule was drawn, and however long the list is',
      () => expectContents([rule(1)], [rule(1), rule(2)]),
      () => expectContents([rule(8, { mode: 'fixed', value: 7 })], [rule(7), rule(8), rule(9)]),
    ],
    [
      'however many rules are in the wrong order',
      () => expectEqual('list.not-shifted', ['1>2', '1>3'], ['1>3', '1>2']),
      () => expectEqual('list.not-shifted', ['7>1', '7>2', '7>3'], ['7>3', '7>1', '7>2']),
    ],
    [
      'however much a number is less',
      () => expectEqual('list.total-wrong', 2, 5),
      () => expectEqual('list.total-wrong', 3, 9),
    ],
    [
      'which of several tries found nothing',
      () => expectExactly('rule.mode-changed', undefined, 'mult'),
      () => expectExactly('rule.mode-changed', undefined, 'fixed'),
    ],
  ])('%s', ([, one, other]) => {
    expect(signature(one)).toBe(signature(other))
  })
})

describe('the signature differs', () => {
  test.for<[string, () => void, () => void]>([
    ['for another status', () => expectStatus(response(200, ''), 404), () => expectStatus(response(500, ''), 404)],
    [
      'for an error with a status of success',
      () => expectStatus(response(200, '{"error":"no rule"}'), 404),
      () => expectStatus(response(200, '{"success":true}'), 404),
    ],
    ['for another code', () => expectStatus(response(200, ''), 404), () => expectStatus(response(200, ''), 405)],
    [
      'for another status among several',
      () => expectExactly('responses.statuses-wrong', [201, 200], [400, 200]),
      () => expectExactly('responses.statuses-wrong', [500, 200], [400, 200]),
    ],
    [
      'for a value that was changed otherwise',
      () => expectExactly('rule.value-changed', 3.14, 3.14151),
      () => expectExactly('rule.value-changed', 3, 3.14151),
    ],
    [
      'for a number that is too high',
      () => expectEqual('list.total-wrong', 1, 5),
      () => expectEqual('list.total-wrong', 6, 5),
    ],
    [
      'for a number as a string',
      () => expectEqual('list.total-wrong', 1, 5),
      () => expectEqual('list.total-wrong', '1', 5),
    ],
    [
      'for strings in a list of numbers',
      () => expectEqual('list.indices-not-consecutive', [2, 1], [1, 2]),
      () => expectEqual('list.indices-not-consecutive', ['1', '2'], [1, 2]),
    ],
    [
      'for a lost rule and a moved one',
      () => expectContents([rule(2), rule(1)], [rule(1), rule(2)]),
      () => expectContents([rule(1)], [rule(1), rule(2)]),
    ],
  ])('%s', ([, one, other]) => {
    expect(signature(one)).not.toBe(signature(other))
  })

  test('for another check', () => {
    const fails = () => expectStatus(response(200, ''), 404)
    expect(signature(fails, 'CT-1')).not.toBe(signature(fails, 'CT-2'))
  })
})

test('a random failure has the same signature whatever the failure was', () => {
  const signatures = [
    failureOf(() => expectStatus(response(200, ''), 404)),
    failureOf(() => expectEqual('list.length-wrong', 1, 2)),
  ]
    .map((error) => error.with({ seed: 5 }))
    .map(({ code, data }) => signatureOf({ id: 'CT-1', code, data }))
  expect(new Set(signatures)).toEqual(new Set([randomSignature('CT-1')]))
  expect(randomSignature('CT-1')).not.toBe(randomSignature('CT-2'))
})

test('rewording every text changes no signature', () => {
  const codes = Object.keys(failureTexts) as FailureCode[]
  const reworded = Object.fromEntries(
    codes.map((code): [string, FailureText] => [code, [`Reworded: ${code}`, 'other', 'words']]),
  ) as Record<FailureCode, FailureText>
  for (const code of codes) {
    const data = { expected: 1, actual: 2, difference: 'greater' }
    const judged = (texts: Readonly<Record<FailureCode, FailureText>>) => ({
      id: 'CT-1',
      code,
      data,
      ...renderFailure(code, data, texts),
    })
    const [now, later] = [judged(failureTexts), judged(reworded)]
    expect(now.message).not.toBe(later.message)
    expect(signatureOf(now)).toBe(signatureOf(later))
  }
})

test('a signature is twelve hexadecimal digits and never changes, since files contain it', () => {
  expect(signature(() => expectStatus(response(200, ''), 404))).toBe('3443103ee695')
})
