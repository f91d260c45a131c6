import type { Exchange } from '../suites/client/exchange.ts'
import type { Outcome } from '../suites/runner/outcome.ts'
import { failed } from './sample-run.test-data.ts'

const url = 'http://127.0.0.1:8443/api/rules'
const rule = (index: number, follower: number) =>
  `{"index":${index},"master":1001,"follower":${follower},"mode":"mult","value":1.5,"direction":"same"}`
const listOf = (followers: readonly number[]) =>
  `{"rules":[${followers.map((follower, index) => rule(index, follower))}],"total":${followers.length}}`

function exchange(id: string, method: string, path: string, body: string): Exchange {
  const startedAt = '2026-03-04T09:15:00.000Z'
  const request = { method, url: `${url}${path}`, headers: [], body: null }
  return { id, startedAt, durationMs: 1.5, request, response: { status: 200, headers: [], body }, failure: null }
}

/** A check that saw the last of four rules move into the place of the removed one. */
export function shiftedList(check: string): Outcome {
  const sent = [
    exchange('x1', 'GET', '', listOf([2001, 2002, 2003, 2004])),
    exchange('x2', 'DELETE', '/1', '{"success":true}'),
    exchange('x3', 'GET', '', listOf([2001, 2004, 2003])),
  ]
  const line = (follower: number, index: number) => `#${index} 1001>${follower} mult 1.5 same`
  const lines = (followers: readonly number[]) => ({ length: 3, from: 0, lines: followers.map(line) })
  return {
    ...failed(check, sent),
    code: 'list.not-shifted',
    data: { expected: lines([2001, 2003, 2004]), actual: lines([2001, 2004, 2003]), difference: null },
    message: 'The list is not the one before without the removed rule.',
    expected: '3 rules\n[1] #1 1001>2003 mult 1.5 same',
    actual: '3 rules\n[1] #1 1001>2004 mult 1.5 same',
    script: `#!/bin/sh\ncurl -i -X DELETE '${url}/1'\ncurl -i -X GET '${url}'\nexit 1`,
    decidedBy: 'x3',
  }
}
