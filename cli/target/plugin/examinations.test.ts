import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { createSimulator, type SimulatorOptions } from '../../../simulator/index.ts'
import { createPlatformSimulator } from '../../../simulator/platform/index.ts'
import { selfSigned } from '../../../test/self-signed.ts'
import { resolveRunOptions } from '../../options/run-options.ts'
import { apis } from '../apis.ts'
import { openTarget } from '../session.ts'

const apiKey = 'a-key-for-tests'

/** The result of an inspection of this URL. */
async function inspectAt(target: string, flags: Parameters<typeof resolveRunOptions>[0] = {}): Promise<unknown> {
  const out = mkdtempSync(join(tmpdir(), 'copytrade-tck-test-'))
  onTestFinished(() => rmSync(out, { recursive: true, force: true }))
  const options = resolveRunOptions({ target, apiKey, out, ...flags }, {})
  await using session = await openTarget(apis, options, new AbortController().signal)
  return session.inspect().catch((error: unknown) => error)
}

async function startPlugin(options: SimulatorOptions = {}): Promise<string> {
  const simulator = createSimulator({ port: 0, apiKey, ...options })
  await simulator.start()
  onTestFinished(() => simulator.stop())
  return simulator.url
}

/** A server that sends the same response to every request, and records the requests. */
async function startServer(status: number, body: string, headers = {}, asked: string[] = []): Promise<string> {
  const server = createServer(({ method, url, headers: { authorization } }, response) => {
    asked.push(`${method} ${url}${authorization === undefined ? '' : ' (Bearer)'}`)
    response.writeHead(status, headers).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test.for(['', '/', '/api', '/api/'])('the address of a plugin may end with %j', async (end) => {
  expect(await inspectAt(`${await startPlugin()}${end}`)).toBeUndefined()
})

test.for(['/api/rules', '/api/status/', '/api/rules/0', '/plugin', '/a/b/api'])(
  'an address with the path %s names the address without it',
  async (path) => {
    const url = await startPlugin()
    expect(await inspectAt(`${url}${path}`)).toMatchObject({
      exitCode: 4,
      message: expect.stringMatching(/^No plugin responds at http.*: GET \/\S+\/api\/status returns 404\.$/),
      hint: `Did you mean \`--target ${url}\`?`,
    })
  },
)

test('the 502 of a reverse proxy means that the server is down', async () => {
  const url = await startServer(502, '<html></html>', { 'Content-Type': 'text/html' })
  expect(await inspectAt(url)).toMatchObject({
    exitCode: 4,
    message: expect.stringMatching(/cannot be reached: .*: a reverse proxy in front of the server responds with 502/),
    hint: 'Start the server, or check its address.',
  })
})

test.for([
  ['a page for a missing file', 404, '<!DOCTYPE HTML>', {}],
  ['a page for every path', 200, '\n<html></html>', {}],
  ['a page that asks for a password', 401, '<html></html>', {}],
  ['JSON for an unknown path', 404, '{"error":"Unknown endpoint."}', {}],
  ['binary bytes', 200, '\u0089PNG\r\n\u001a\n\0\0\0\rIHDR', {}],
  ['a redirect', 301, '', { Location: 'https://other.example/' }],
] as const)('a web server that sends %s is not accepted as a plugin', async ([, status, body, headers]) => {
  const url = await startServer(status, body, headers)
  expect(await inspectAt(`${url}/api/rules`)).toMatchObject({
    exitCode: 4,
    message: expect.stringContaining(` returns ${status}`),
    hint: expect.stringContaining('API_Port'),
  })
})

const ownLogin = { index: 0, master: 900_000_001, follower: 1, mode: `\u001b${apiKey}` }

test.for([
  ['the redirect of a wrong address', 302, '', { Location: `/login?token=${apiKey}` }],
  ["a rule with a login of the kit's range", 200, JSON.stringify({ rules: [ownLogin] }), {}],
] as const)(
  'the message of an inspection shows neither key nor control characters: %s',
  async ([, status, body, headers]) => {
    const { message } = (await inspectAt(await startServer(status, body, headers), { risk: 'write' })) as Error
    expect(message).toContain('[redacted]')
    expect([apiKey, '\u001b'].filter((text) => message.includes(text))).toEqual([])
  },
)

test.for([
  [500, '{"error":"out of order"}'],
  [200, 'not JSON'],
] as const)('a faulty plugin is judged: status %i with %s', async ([status, body]) => {
  expect(await inspectAt(await startServer(status, body))).toBeUndefined()
})

test('a platform in place of a plugin is recognised by its errors', async () => {
  const platform = createPlatformSimulator({ port: 0 })
  await platform.start()
  onTestFinished(() => platform.stop())
  expect(await inspectAt(`${platform.url}/v1`)).toMatchObject({
    exitCode: 4,
    message: expect.stringContaining('rejects the key'),
    hint: expect.stringContaining('--platform-url'),
  })
})

test.for([401, 403])('a plugin with status %i for both reads rejects the key', async (status) => {
  expect(await inspectAt(await startServer(status, '{"error":"no"}'))).toMatchObject({
    exitCode: 4,
    message: expect.stringContaining('rejects the key'),
    hint: expect.not.stringContaining('--platform-url'),
  })
})

const reads = ['GET /api/status', 'GET /api/rules']

test.for([
  { status: 200, body: '{"rules":[],"total":0}', requests: reads },
  { status: 500, body: '{"error":"out of order"}', requests: reads },
  { status: 401, body: '{"error":"no"}', requests: [...reads, ...reads.map((read) => `${read} (Bearer)`)] },
  { status: 404, body: '{"error":"no"}', requests: reads },
])('before a run nothing but the two reads is sent: status $status', async ({ status, body, requests }) => {
  const asked: string[] = []
  await inspectAt(await startServer(status, body, {}, asked))
  expect(asked).toEqual(requests)
})

test('foreign rules with logins of the kit end a run that writes, and only that', async () => {
  const parameters = { API_Key: apiKey, Copy_1: '900000005>2001,mult,1,same' }
  const url = await startPlugin({ parameters })
  expect(await inspectAt(url)).toBeUndefined()
  expect(await inspectAt(url, { risk: 'write' })).toMatchObject({
    exitCode: 2,
    message: expect.stringContaining('900000005>2001'),
    hint: expect.stringContaining('--logins'),
  })
})

test('a TLS server at an http URL is named as one', async () => {
  const server = createTlsServer(selfSigned())
  server.on('tlsClientError', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
  })
  expect(await inspectAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)).toMatchObject({
    exitCode: 4,
    message: expect.stringContaining('speaks TLS'),
    hint: expect.stringContaining('https URL'),
  })
})

test.for([
  { what: 'with a member that is not in the specification', more: { comment: 'VIP' }, lacks: true },
  { what: 'as specified', more: {}, lacks: false },
])(
  'existing rules $what: checks that would remove and restore them are out of scope: $lacks',
  async ({ more, lacks }) => {
    const rule = { index: 0, master: 1, follower: 2, mode: 'mult', value: 1, direction: 'same', ...more }
    const body = {
      plugin: 'p',
      version: '1',
      license_active: true,
      rules_loaded: 1,
      api_port: 1,
      rules: [rule],
      total: 1,
    }
    const url = await startServer(200, JSON.stringify(body))
    const out = mkdtempSync(join(tmpdir(), 'copytrade-tck-test-'))
    onTestFinished(() => rmSync(out, { recursive: true, force: true }))
    const parameters = join(out, 'parameters.json')
    writeFileSync(parameters, JSON.stringify({ API_Key: apiKey }))
    const hooks = { hookRestart: 'true', hookSetParameters: 'true', hookDeleteRulesFile: 'true', parameters }
    const options = resolveRunOptions({ target: url, apiKey, out, risk: 'exclusive', quiet: true, ...hooks }, {})
    await using session = await openTarget(apis, options, new AbortController().signal)
    await session.inspect()
    const planned = session.plan(session.apis.flatMap(({ api }) => api.cases))
    const reasonOf = (id: string) => planned.find((check) => check.id === id)?.outOfScope ?? null
    expect(reasonOf('CT-601')).toBeNull()
    expect(reasonOf('CT-621')).toEqual(lacks ? expect.stringContaining('`comment`') : null)
    expect(session.main.capabilities.includes('launch')).toBe(!lacks)
  },
)
