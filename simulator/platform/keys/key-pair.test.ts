import { createHmac } from 'node:crypto'
import { property, string, uint8Array } from 'fast-check'
import { expect, test } from 'vitest'
import { always } from '../../testing/always.ts'
import { checkPair, hashSecret, randomPair } from './key-pair.ts'
import { sameText, sign } from './signature.ts'

test('for a secret of more than 64 bytes, its hash signs like the secret itself (RFC 2104, section 2)', () => {
  always(
    property(string({ minLength: 65, maxLength: 200 }), uint8Array(), (secret, body) => {
      const parts = { timestamp: '1700000000', method: 'POST', path: '/v1/trading-accounts', body }
      expect(sign(Buffer.from(hashSecret(secret), 'hex'), parts)).toBe(sign(secret, parts))
    }),
  )
})

test('a signature is the hex HMAC-SHA256 over timestamp, method, path and body', () => {
  const parts = { timestamp: '1700000000', method: 'POST', path: '/v1/trading-accounts', body: Buffer.from('{"a":1}') }
  const expected = createHmac('sha256', 'k').update('1700000000POST/v1/trading-accounts{"a":1}').digest('hex')
  expect(sign('k', parts)).toBe(expected)
})

test('strings are equal only as a whole', () => {
  always(
    property(string(), string(), (one, other) => {
      expect(sameText(one, other)).toBe(one === other)
      expect(sameText(one, `${one}`)).toBe(true)
    }),
  )
})

test('random pairs differ, are accepted, and show whether they are live', () => {
  const pairs = Array.from({ length: 50 }, (_, place) => checkPair(randomPair(place % 2 === 1)))
  expect(new Set(pairs.map(({ apiSecret }) => apiSecret)).size).toBe(50)
  expect(pairs[0]?.apiKey).toMatch(/^bk_test_[0-9a-f]{48}$/)
  expect(pairs[1]?.apiKey).toMatch(/^bk_live_[0-9a-f]{48}$/)
})

test('a secret too short for its hash to verify signatures is rejected and not repeated', () => {
  const secret = 's'.repeat(64)
  const check = () => checkPair({ apiKey: 'bk_test_1', apiSecret: secret })
  expect(check).toThrow('The API secret (the option `apiSecret`, or TCK_PLATFORM_SECRET) must be longer than 64 bytes')
  expect(check).not.toThrow(secret)
  expect(() => checkPair({ apiKey: 'bk_test_1', apiSecret: `${secret}s` })).not.toThrow()
})

test.each(['', ' ', 'a b', 'a\n', 'ä', 'a"'])('a key that a bearer header cannot carry is rejected: %j', (apiKey) => {
  expect(() => checkPair({ apiKey, apiSecret: 's'.repeat(65) })).toThrow('The API key must be letters')
})
