import { expect, test } from 'vitest'
import { failure } from './expect.ts'
import { renderFailure } from './failure.ts'
import { type FailureCode, failureTexts } from './failure-texts.ts'

const codes = Object.keys(failureTexts) as FailureCode[]

test('a code is permanent: reports and baselines contain it', () => {
  expect(codes.toSorted()).toMatchSnapshot()
})

test.for(codes)('%s is dotted kebab-case, and its message is a sentence', (code) => {
  expect(code).toMatch(/^[a-z]+(-[a-z]+)*\.[a-z0-9]+(-[a-z0-9]+)*$/)
  expect(failureTexts[code][0]).toMatch(/^[A-Z`].*\.$/)
})

test('only a known code can be thrown, with the names in its text', () => {
  // @ts-expect-error: there is no such code.
  expect(() => failure('list.odd', { difference: null })).toThrow()
  // @ts-expect-error: the text names the field.
  expect(failure('trading-account.not-number', { difference: null }).code).toBe('trading-account.not-number')
})

test('the text shows the data, the place of the failure and how to reproduce it', () => {
  const data = { actual: 500, body: '', difference: 500, after: 'a restart', seed: 7 }
  expect(renderFailure('response.status-not-404', data)).toEqual({
    message: 'After a restart: The status is 500, not 404. Random: reproduce it with `--seed 7`.',
    expected: 'status 404',
    actual: 'status 500: (empty)',
  })
})
