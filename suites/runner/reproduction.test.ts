import { expect, test } from 'vitest'
import type { Step } from '../assertions/failure.ts'
import type { Exchange } from '../client/exchange.ts'
import { reproduction } from './reproduction.ts'

const list = '{"rules":[{"index":0,"master":1001,"follower":2001,"mode":"mult"}],"total":1}'
let count = 0

function exchange(method: string, path: string, status: number, when: { at?: number; ms?: number } = {}): Exchange {
  count += 1
  const { at = count * 100, ms = 1 } = when
  return {
    id: `x${count}`,
    startedAt: new Date(at).toISOString(),
    durationMs: ms,
    request: { method, url: `http://a${path}`, headers: [], body: null },
    response: { status, headers: [], body: path === '/api/rules' && method === 'GET' ? list : '{}' },
    failure: null,
  }
}

function scriptOf(steps: readonly Step[], omitted = 0): readonly string[] | undefined {
  const failing = steps.findLast((step) => typeof step === 'object')
  return reproduction({ steps, omitted, failing, hint: omitted === 0 ? null : 'The hint.' }, 'TCK_API_KEY')?.split('\n')
}

const curl = (method: string, path: string) => `curl -i -X ${method} 'http://a${path}'`

test('a request preceded only by reads and rejected requests is reproduced alone', () => {
  const steps = [
    exchange('GET', '/api/rules', 200),
    exchange('POST', '/api/rules', 400),
    exchange('PUT', '/api/rules', 200),
  ]
  expect(scriptOf(steps)).toEqual([curl('PUT', '/api/rules')])
})

test('after changes and restarts the script begins with the list and repeats every step that may matter', () => {
  const steps = [
    exchange('GET', '/api/rules', 200),
    exchange('POST', '/api/rules', 201),
    exchange('GET', '/api/rules', 200),
    exchange('DELETE', '/api/rules/1', 200),
    'Kill the server.',
    'Start the server.',
    exchange('GET', '/api/rules', 200),
  ]
  expect(scriptOf(steps, 3)).toEqual([
    '# The hint.',
    '# The list: 1001>2001',
    '# 3 more requests are left out.',
    curl('POST', '/api/rules'),
    curl('DELETE', '/api/rules/1'),
    '# Kill the server.',
    '# Start the server.',
    curl('GET', '/api/rules'),
  ])
})

test('requests that overlapped are sent in the background', () => {
  const steps = [
    exchange('POST', '/api/rules', 201, { at: 10_000, ms: 20 }),
    exchange('DELETE', '/api/rules/0', 200, { at: 10_005, ms: 30 }),
    exchange('GET', '/api/rules', 200, { at: 10_050 }),
  ]
  expect(scriptOf(steps)).toEqual([
    `${curl('POST', '/api/rules')} &`,
    curl('DELETE', '/api/rules/0'),
    'wait',
    curl('GET', '/api/rules'),
  ])
})
