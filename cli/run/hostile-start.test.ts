import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { isProof } from '../../fixtures/test-size.ts'
import { buildReport } from '../../reports/document.ts'
import { createSimulator } from '../../simulator/index.ts'
import { pluginCases } from '../../suites/checks/plugin/all.ts'
import { createPluginContext } from '../../suites/runner/plugin/create-context.ts'
import { runPlan } from '../../suites/runner/run-plan.ts'
import { defaultLogins } from '../../suites/session/logins.ts'
import { resolveRunOptions } from '../options/run-options.ts'
import { pluginApi } from '../target/plugin/api.ts'
import { openTarget, runCases } from '../target/session.ts'
import { record } from './record.ts'
import { exitCodeOf } from './run.ts'

const apiKey = 'a-key-for-tests'

/** Changes the text of one response. */
type Mutation = (text: string) => string | null

const values = { null: null, true: true, zero: 0, text: '', array: [], object: {}, huge: 'x'.repeat(10_000_000) }
const members = ['plugin', 'rules_loaded', 'rules', 'total', 'error', 'index', 'master', 'value', 'success']

function withMember(member: string, value: unknown): Mutation {
  return (text) =>
    JSON.stringify(JSON.parse(text), (_, inner: unknown) =>
      typeof inner === 'object' && inner !== null && member in inner
        ? { ...withoutIt(inner, member), ...(value === undefined ? {} : { [`~${member}`]: value }) }
        : inner,
    ).replaceAll(`"~${member}"`, `"${member}"`)
}

function withoutIt(object: object, member: string): object {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== member))
}

const mutations: readonly (readonly [name: string, Mutation])[] = [
  ...members.flatMap((member) =>
    Object.entries({ ...values, nothing: undefined }).map(
      ([name, value]) => [`\`${member}\` is ${name}`, withMember(member, value)] as const,
    ),
  ),
  ...Object.entries(values).map(([name, value]) => [`the body is ${name}`, () => JSON.stringify(value)] as const),
  ['the body is empty', () => ''],
  ['the body is not JSON', () => '<h1>'],
  ['the connection is closed', () => null],
]

/** A conforming server whose n-th response is changed for each n in `places`. */
async function startMutated(mutate: Mutation, places: (place: number, request: IncomingMessage) => boolean) {
  const simulator = createSimulator({ port: 0, parameters: { API_Key: apiKey, Copy_1: '1001>2001,mult,1.5,same' } })
  await simulator.start()
  let place = 0
  const server: Server = createServer(async (request, response) => {
    place += 1
    const isMutated = places(place, request)
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { method = 'GET', url = '' } = request
    const headers = Object.fromEntries(
      Object.entries(request.headers).filter(([name]) => !['host', 'connection', 'content-length'].includes(name)),
    ) as Record<string, string>
    const hasBody = chunks.length > 0
    const answer = await fetch(simulator.url + url, {
      method,
      headers,
      ...(hasBody ? { body: Buffer.concat(chunks) } : {}),
    })
    const text = await answer.text()
    const changed = isMutated && text !== '' ? mutate(text) : text
    if (changed === null) return void request.socket.destroy()
    response.writeHead(answer.status, { 'Content-Type': 'application/json' })
    response.end(changed)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const stop = async () => {
    server.closeAllConnections()
    server.close()
    await simulator.stop()
  }
  return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: stop }
}

/** Judges the server with a few checks in this thread. */
async function judgeServer(url: string, only = ['plugin.status.*', 'plugin.list.*']) {
  const options = resolveRunOptions({
    ...{ target: url, apiKey, risk: 'read', only, skip: [], strict: false, complete: false, seed: 1, thorough: 1 },
    ...{ maxFill: 10, out: '/tmp/tck-hostile-start', timeout: 2_000, cleanupTimeout: 2_000, logins: defaultLogins },
    ...{ yes: true, jobs: 1 },
  })
  await using target = await openTarget([pluginApi], options, new AbortController().signal)
  await target.inspect()
  const planned = target.plan(runCases([pluginApi]))
  const session = await target.consent(planned)
  const { result: outcomes, ...verification } = await session.verifyAfter(() =>
    runPlan(planned, pluginCases, createPluginContext(session.main.settings, null, session.shared)),
  )
  const report = buildReport(record(session, outcomes, verification))
  const failed = report.requirements.filter(({ status }) => status === 'failed').map(({ id }) => id)
  return { verdict: report.verdict, code: exitCodeOf(report, outcomes, session), outcomes, failed }
}

const places = isProof ? Array.from({ length: 10 }, (_, at) => at + 1) : [1, 2, 5]
const chosen = mutations.filter((_, at) => isProof || at % 9 === 0)

test.for(chosen)('a verdict is reached if %s in an early response', { timeout: 600_000 }, async ([, mutate]) => {
  for (const place of places) {
    await using server = await startMutated(mutate, (at) => at === place)
    const { verdict, code, outcomes } = await judgeServer(server.url)
    const errors = outcomes.filter(({ status }) => status === 'error')
    expect({ place, verdict, code, errors }).toMatchObject({ place, code: expect.toBeOneOf([0, 1, 3]), errors: [] })
  }
})

test.for([
  ['status', '/api/status'],
  ['list', '/api/rules'],
] as const)('a server that never responds to its %s gets a verdict', async ([, path]) => {
  await using server = await startMutated(
    () => null,
    (_, { url }) => url === path,
  )
  expect(await judgeServer(server.url)).toMatchObject({ verdict: 'non-conformant', code: 1 })
})

test.for([
  ['X-API-Key', 'readApiKeyHeader', 'plugin.auth.x-api-key'],
  ['Authorization', 'readAuthorizationHeader', 'plugin.auth.bearer'],
] as const)('a server that ignores the header %s is judged with the other one', async ([, hook, requirement]) => {
  const override = () => ({ [hook]: () => undefined })
  const simulator = createSimulator({ port: 0, parameters: { API_Key: apiKey }, override })
  await simulator.start()
  const only = ['plugin.auth.x-api-key', 'plugin.auth.bearer', 'plugin.status.ok', 'plugin.list.ok']
  const { code, failed } = await judgeServer(simulator.url, only).finally(() => simulator.stop())
  expect({ code, failed }).toEqual({ code: 1, failed: [requirement] })
})
