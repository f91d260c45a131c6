import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { judgePlatform } from '../../cli/target/platform/self-test.ts'
import { createSimulator, memoryRulesFile } from '../../simulator/index.ts'
import { platformChecks, platformObservations } from '../../suites/checks/platform/all.ts'
import type { Exchange } from '../../suites/client/exchange.ts'
import type { Outcome } from '../../suites/runner/outcome.ts'
import { isCut } from '../../suites/runner/shell-verdict.ts'
import { command } from '../command.ts'
import { type DescribedApi, readDescribedApi } from '../described-api.ts'
import { judgeSimulator } from '../judge-simulator.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const api = readDescribedApi('plugin', 'Unauthorized')
const platform = readDescribedApi('platform', 'Refused')
const names = ['plugin', 'platform']

test.for(names)('the linter has no complaints about the OpenAPI document %s', async (name) => {
  const linter = createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js')
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const args = [linter, 'lint', '--format=json', '--max-problems=100', `spec/openapi/${name}.yaml`]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, env })
  expect(JSON.parse(stdout)).toMatchObject({ totals: { errors: 0, warnings: 0 } })
})

test.for(names)('the command prints the document %s', async (name) => {
  const { stdout } = await command(['openapi', name])
  expect(stdout).toBe(await readFile(`${root}spec/openapi/${name}.yaml`, 'utf8'))
})

describe('every check of the kit against the simulator', () => {
  let outcomes: readonly Outcome[]
  beforeAll(async () => {
    // The document sets no bounds for logins, but a server may.
    const profile = { 'plugin.login.zero': 'accepted', 'plugin.login.negative': 'accepted' } as const
    outcomes = await judgeSimulator({ profile }, { seed: 5 })
  })

  test('gets responses that the document allows', () => {
    const exchanges = wholeExchanges(outcomes)
    expect(exchanges.length).toBeGreaterThan(1_000)
    expect(faultsOf(exchanges, api)).toEqual([])
  })

  test('reaches each operation with each status, except for a file that cannot be written', () => {
    const reached = new Set(wholeExchanges(outcomes).map(api.nameOf))
    expect(api.described.filter((name) => !reached.has(name))).toEqual(['DELETE /rules/{index} 500'])
  })

  test('has rules accepted that the document allows, and no others', () => {
    // A server may decide what only a question is about.
    const judged = outcomes.filter(({ check }) => check.startsWith('CT-'))
    const answered = wholeExchanges(judged).filter(
      (exchange) =>
        ['POST /rules 201', 'POST /rules 400'].includes(api.nameOf(exchange) ?? '') &&
        // The validator reads such a login as 0, an integer. The document does not limit the size of a login.
        !/\de-\d{3}|:\d{20}/.test(exchange.request.body ?? ''),
    )
    const wrong = answered.filter(
      ({ request, response }) => api.allowsBody('POST /rules', request.body ?? '') !== (response?.status === 201),
    )
    expect(answered.length).toBeGreaterThan(100)
    expect(wrong.map(({ request, response }) => `${response?.status} ${request.body}`)).toEqual([])
  })
})

describe('every check of the platform against its simulator', () => {
  let outcomes: readonly Outcome[]
  beforeAll(async () => {
    outcomes = await judgePlatform({}, [...platformChecks, ...platformObservations])
  })

  test('gets responses that the document allows', () => {
    const exchanges = wholeExchanges(outcomes)
    expect(exchanges.length).toBeGreaterThan(500)
    expect(faultsOf(exchanges, platform)).toEqual([])
  })

  test('reaches each operation with each status', () => {
    const reached = new Set(wholeExchanges(outcomes).map(platform.nameOf))
    expect(platform.described.length).toBe(6)
    expect(platform.described.filter((name) => !reached.has(name))).toEqual([])
  })

  test('creates accounts only from bodies that the document allows', () => {
    const checks = new Set(platformChecks.map(({ id }) => id))
    // A server may decide what only a question is about, and may have its own limits.
    const judged = wholeExchanges(outcomes.filter(({ check }) => checks.has(check)))
    const bodies = judged.flatMap(({ request, response }) =>
      request.method === 'POST' && response?.status === 201 && !isCut(request.body) ? [request.body ?? ''] : [],
    )
    expect(bodies.length).toBeGreaterThan(30)
    expect(bodies.filter((body) => !platform.allowsBody('POST /trading-accounts', body))).toEqual([])
    expect(platform.allowsBody('POST /trading-accounts', '{"name":"n","group":"demo"}')).toBe(false)
  })
})

test('a removal that cannot be saved gets a response that the document allows', async () => {
  const rulesFile = { ...memoryRulesFile(), write: () => Promise.reject(new Error('the disk is full')) }
  const parameters = { API_Key: 'k', Copy_1: '1001>2001,mult,1.5,same' }
  await using simulator = createSimulator({ port: 0, parameters, rulesFile })
  await simulator.start()
  const url = `${simulator.url}/api/rules/0`
  const answer = await fetch(url, { method: 'DELETE', headers: { 'X-API-Key': 'k' } })
  const exchange = {
    id: 'x1',
    startedAt: '',
    durationMs: 0,
    request: { method: 'DELETE', url, headers: [], body: null },
    response: { status: answer.status, headers: [...answer.headers], body: await answer.text() },
    failure: null,
  }
  expect(api.nameOf(exchange)).toBe('DELETE /rules/{index} 500')
  expect(api.fault(exchange)).toBeNull()
})

test('a response of a platform that the document does not allow is detected', () => {
  const account = { id: 'acct_7', name: 'A brokerage', status: 'active', created_at: '2025-03-04T09:30:15Z' }
  const exchange = (status: number, body: unknown, path = '/v1/account', type = 'application/json') => ({
    id: 'x1',
    startedAt: '',
    durationMs: 0,
    request: { method: 'GET', url: `http://127.0.0.1:1${path}`, headers: [], body: null },
    response: { status, headers: [['Content-Type', type]] as const, body: JSON.stringify(body) },
    failure: null,
  })
  expect(platform.fault(exchange(200, { data: account }))).toBeNull()
  expect(platform.fault(exchange(206, { data: account }))).toBeNull()
  expect(platform.fault(exchange(200, { data: account }, '/v1/account', 'text/plain'))).toContain('application/json')
  expect(platform.fault(exchange(200, { data: { ...account, id: '7' } }))).toContain('pattern')
  expect(platform.fault(exchange(200, { data: [{ name: 'n', balance: 1 }] }, '/v1/trading-accounts'))).toContain(
    'currency',
  )
  expect(platform.fault(exchange(403, 'no', '/v1/account', 'text/plain'))).toBeNull()
  expect(platform.fault(exchange(302, {}))).toContain('no status 302')
  expect(platform.fault(exchange(500, {}))).toContain('no status 500')
  expect(platform.fault(exchange(200, { data: account }, '/v2/account'))).toContain('nothing is described')
})

test('a response that the document does not allow is detected', () => {
  const exchange = (status: number, body: string, path = 'rules') => ({
    id: 'x1',
    startedAt: '',
    durationMs: 0,
    request: { method: 'GET', url: `http://127.0.0.1:1/api/${path}`, headers: [], body: null },
    response: { status, headers: [['Content-Type', 'application/json']] as const, body },
    failure: null,
  })
  expect(api.fault(exchange(200, '{"rules":[],"total":0}'))).toBeNull()
  expect(api.fault(exchange(200, '{"rules":[]}'))).toContain('total')
  expect(api.fault(exchange(200, '{"rules":[{"index":0}],"total":1}'))).toContain('master')
  expect(api.fault(exchange(204, '{}', 'unknown'))).toBeNull()
  expect(api.fault(exchange(200, '{}', 'unknown'))).toContain('nothing is described')
  expect(api.fault(exchange(418, '{"error":"teapot"}'))).toContain('no status 418')
})

function faultsOf(exchanges: readonly Exchange[], described: DescribedApi): readonly string[] {
  return exchanges.flatMap((exchange) => {
    const fault = described.fault(exchange)
    return fault === null ? [] : [`${exchange.request.method} ${exchange.request.url}: ${fault}`]
  })
}

/**
 * Exchanges that can be compared with a document: recorded long bodies are truncated, and raw bytes have neither method
 * nor path.
 */
function wholeExchanges(outcomes: readonly Outcome[]): readonly Exchange[] {
  return outcomes
    .flatMap(({ exchanges }) => exchanges)
    .filter(({ request, response }) => request.method !== 'RAW' && !response?.body?.endsWith('more characters)'))
}
