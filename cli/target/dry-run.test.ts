import { expect, test } from 'vitest'
import type { Api, JudgedApi } from '../../suites/runner/define-api.ts'
import { notRun } from '../../suites/runner/outcome.ts'
import type { Shared } from '../../suites/runner/shared.ts'
import type { SimulatedApi } from './api.ts'
import { dryRun } from './dry-run.ts'

/** A check that sends these raw bytes in the same millisecond. */
function sending(...sent: readonly string[]) {
  const judged = (_settings: unknown, _driver: unknown, { recorder }: Shared) => {
    const judge = async (id: string) => {
      for (const body of sent) {
        const request = { method: 'RAW', url: 'http://127.0.0.1:1', headers: [], body }
        const startedAt = '2026-03-04T09:15:00.000Z'
        recorder.record({ startedAt, durationMs: 1, request, response: null, failure: null })
      }
      return { ...notRun(id, 'blocked', ''), exchanges: recorder.take().exchanges }
    }
    const cases = new Map([['CT-1', { id: 'CT-1', title: 'raw bytes', risk: 'write' }]])
    const context = { release: async () => undefined, state: {} }
    return { cases, judge, context, own: null } as unknown as JudgedApi
  }
  const settings = { target: { key: 'key' }, timeoutMs: 1, maxRequestsPerSecond: null, secrets: [] }
  const simulate = async (): Promise<SimulatedApi> => ({ settings, driver: null, stop: async () => undefined })
  return { api: { judged } as unknown as Api, simulate }
}

test('further responses to the same raw bytes are one request, other bytes in the same millisecond are another', async () => {
  const [post, both] = [
    'POST /api/rules HTTP/1.1\r\n\r\n',
    'POST /api/rules HTTP/1.1\r\n\r\nGET /api/rules HTTP/1.1\r\n\r\n',
  ]
  const { checks, requests, writes } = await dryRun([sending(post, both, both)], [{ id: 'CT-1', outOfScope: null }])
  expect({ sent: checks[0]?.requests.map(({ body }) => body), requests, writes }).toEqual({
    sent: [post, both],
    requests: { RAW: 2 },
    writes: 2,
  })
})
