import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { createTimes, signatureHeaders } from './signing.ts'

const request = { method: 'POST', path: '/v1/trading-accounts', body: Buffer.from('{"name":"ä"}') }
const credentials = { secret: 'a secret', vendor: 'Example', prefix: '/sandbox', times: () => 1_700_000_000 }

test('a signature is the hexadecimal HMAC-SHA256 over time, method, whole path and body', () => {
  const text = '1700000000POST/sandbox/v1/trading-accounts{"name":"ä"}'
  expect(signatureHeaders({ ...request, sign: {} }, credentials)).toEqual({
    'X-Example-Timestamp': '1700000000',
    'X-Example-Signature': createHmac('sha256', 'a secret').update(text).digest('hex'),
  })
})

test('nothing is signed without a secret or with `sign: null`', () => {
  expect(signatureHeaders({ ...request, sign: {} }, { ...credentials, secret: null })).toEqual({})
  expect(signatureHeaders({ ...request, sign: null }, credentials)).toEqual({})
})

test('equal requests that change something are signed at different times, reads at the same', () => {
  const times = createTimes()
  const writes = [1, 2, 3].map(() => times(request))
  expect(new Set(writes).size).toBe(3)
  expect(Math.max(...writes) - Math.min(...writes)).toBeLessThan(5)
  const read = { method: 'GET', path: '/v1/account', body: null }
  const reads = Array.from({ length: 50 }, () => times(read))
  expect(Math.max(...reads) - Math.min(...reads)).toBeLessThan(2)
  const others = Array.from({ length: 50 }, (_, i) => times({ ...request, body: Buffer.from(String(i)) }))
  expect(Math.max(...others) - Math.min(...others)).toBeLessThan(2)
})

test('equal reads are signed at different times around now if a platform accepts a signature once', () => {
  const now = Math.floor(Date.now() / 1000)
  const times = createTimes(now)
  const reads = Array.from({ length: 100 }, () => times({ method: 'GET', path: '/v1/account', body: null }))
  expect(new Set(reads).size).toBe(100)
  // Those of the reads before are left out.
  expect(reads.filter((seconds) => Math.abs(seconds - now) <= 12)).toEqual([])
  expect(Math.max(...reads) - Math.min(...reads)).toBeLessThan(130)
})
