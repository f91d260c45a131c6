import { expect, test } from 'vitest'
import { createRedactor } from '../../http/redact.ts'
import { failure } from '../assertions/expect.ts'
import { safeData } from './safe-failure.ts'

const redact = createRedactor(['the-secret-key'])

test('the data of a failure can be serialised: a bigint becomes a string of digits', () => {
  const { data } = failure('rule.not-integers', { actual: { index: 2n ** 64n, master: undefined } })
  const safe = safeData(data, redact)
  expect(safe).toEqual({
    actual: { index: '18446744073709551616' },
    difference: { index: 'number', master: 'missing' },
  })
  expect(JSON.parse(JSON.stringify(structuredClone(safe)))).toEqual(safe)
})

test('no value and no name in the data contains a secret', () => {
  const nested = { list: ['the-secret-key'], 'the-secret-key': 1 }
  const safe = safeData(
    { expected: nested, actual: 'dGhlLXNlY3JldC1rZXk=', difference: nested, after: 'the-secret-key' },
    redact,
  )
  expect(JSON.stringify(safe)).not.toMatch(/the-secret-key|dGhlLXNlY3JldC1rZXk/)
  expect(safe.after).toBe('[redacted]')
})

test('long values are truncated, and the seed stays a number', () => {
  const safe = safeData({ actual: Array.from({ length: 1_000 }, (_, at) => at), difference: null, seed: 7 }, redact)
  expect(safe.actual).toMatch(/^\[0,1,2.*…$/)
  expect(safe.seed).toBe(7)
})
