import { expect, test } from 'vitest'
import type { Exchange } from '../client/exchange.ts'
import { durationsOf } from './evidence.ts'

function exchange(method: string, path: string, durationMs: number, status: number | null = 200): Exchange {
  const request = { method, url: `http://127.0.0.1:8443${path}`, headers: [], body: null }
  const response = status === null ? null : { status, headers: [], body: '' }
  return { id: 'x1', startedAt: '', durationMs, request, response, failure: null }
}

test('response times are those of successful requests to documented operations, with any index or query', () => {
  const sent = [
    exchange('DELETE', '/api/rules/3', 4),
    exchange('DELETE', '/api/rules/12?a=1', 6),
    exchange('GET', '/api/status', 1),
    exchange('DELETE', '/api/rules/99', 1, 404),
    exchange('GET', '/api/rules', 1, null),
    exchange('RAW', '', 1),
  ]
  expect(durationsOf(sent)).toEqual({ 'DELETE /api/rules/{index}': [4, 6], 'GET /api/status': [1] })
})
