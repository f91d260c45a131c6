import { expect, test } from 'vitest'
import type { Exchange } from '../client/exchange.ts'
import { failureSummary } from './failure-summary.ts'

function exchange(id: string, path: string, headers: Exchange['request']['headers'] = []): Exchange {
  const request = { method: 'DELETE', url: `http://127.0.0.1:4711${path}`, headers, body: null }
  return {
    id,
    startedAt: '',
    durationMs: 1,
    request,
    response: { status: 200, headers: [], body: null },
    failure: null,
  }
}

test('the failure summary has the steps, the change, and the deciding request without port, index and key', () => {
  const key = [['X-API-Key', '[redacted]-CT-601-1']] as const
  const exchanges = [exchange('x1', '/api/rules/12', key), exchange('x2', '/api/rules')]
  const data = { after: 'DELETE of #12', difference: 'missing' }
  expect(failureSummary({ data, exchanges, decidedBy: 'x1' })).toBe('DELETE of # | missing | DELETE /api/rules/0 200')
})

test('a wrong key is named, and a long number keeps its length', () => {
  const wrong = [['Authorization', 'Bearer [wrong key: the key in upper case]']] as const
  const exchanges = [exchange('x1', '/api/rules/4294967296', wrong)]
  expect(failureSummary({ data: { difference: null }, exchanges, decidedBy: 'x1' })).toBe(
    'DELETE /api/rules/0000000000 Authorization: Bearer [wrong key: the key in upper case] 200',
  )
})

test('a random key of digits is not part of it', () => {
  const exchanges = [exchange('x1', '/api/status', [['X-API-Key', '450269702455']])]
  expect(failureSummary({ data: { difference: null }, exchanges, decidedBy: 'x1' })).toBe(
    'DELETE /api/status X-API-Key: 0 200',
  )
})

test('the time in a name is not part of it, but its length', () => {
  const data = { actual: '1795968397947', expected: '01795968397947', difference: null }
  expect(failureSummary({ data, exchanges: [] })).toBe('00000000000000→0000000000000')
})

test('a failure without data and requests has no circumstances', () => {
  expect(failureSummary({ data: null, exchanges: [] })).toBe('')
})
