import { expect, test } from 'vitest'
import { UsageError } from '../command-error.ts'
import { keyPairOf } from './servers.ts'

test('a key pair is read from two variables', () => {
  expect(keyPairOf({ TCK_PLATFORM_KEY: 'k', TCK_PLATFORM_SECRET: 's' })).toEqual({ apiKey: 'k', apiSecret: 's' })
  expect(keyPairOf({})).toBeUndefined()
  expect(keyPairOf({ TCK_PLATFORM_KEY: '', TCK_PLATFORM_SECRET: '' })).toBeUndefined()
})

test.each([
  [{ TCK_PLATFORM_KEY: 'k' }, '`TCK_PLATFORM_SECRET` is missing.'],
  [{ TCK_PLATFORM_SECRET: 's' }, '`TCK_PLATFORM_KEY` is missing.'],
])('half of a pair is rejected: %j', (environment, message) => {
  expect(() => keyPairOf(environment)).toThrow(UsageError)
  expect(() => keyPairOf(environment)).toThrow(message)
})
