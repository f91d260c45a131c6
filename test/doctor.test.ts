import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../fixtures/free-port.ts'
import { createSimulator, type SimulatorOptions } from '../simulator/index.ts'
import { command } from './command.ts'
import { selfSigned } from './self-signed.ts'

const key = 'a-key-that-nobody-may-see'

/** Listens until the end of the test. Returns the port. */
async function listening(server: Server): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** A simulator behind a server that records requests, and can handle them first. */
async function plugin(options: SimulatorOptions = {}, meddle: RequestListener = () => undefined) {
  const simulator = createSimulator({ apiKey: key, ...options })
  const handle = simulator.callback()
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    meddle(request, response)
    if (!response.writableEnded) handle(request, response)
  })
  onTestFinished(() => simulator.stop())
  return { url: `http://127.0.0.1:${await listening(server)}`, asked }
}

function doctor(url: string, ...more: readonly string[]) {
  return command(['doctor', '--target', url, ...more], { env: { TCK_API_KEY: key } })
}

/** The states by examination, from the output of `--json`. */
async function diagnose(url: string, ...more: readonly string[]) {
  const { code, stdout } = await doctor(url, '--json', ...more)
  const { ready, risk, examinations } = JSON.parse(stdout) as {
    ready: boolean
    risk: string | null
    examinations: { name: string; state: string; finding: string; remedy?: string }[]
  }
  return { code, ready, risk, by: Object.fromEntries(examinations.map((one) => [one.name, one])) }
}

test('a healthy target is ready: one line per examination, and only GET requests are sent', async () => {
  const { url, asked } = await plugin({ parameters: { API_Key: key, Copy_1: '1001>2001,mult,1,same' } })
  const { code, stdout, stderr } = await doctor(`${url.replace('127.0.0.1', 'localhost')}/api/`)
  expect(stderr).toBe('')
  expect(stdout).toMatch(/^ok {7}name .*127\.0\.0\.1/)
  expect(stdout).toMatch(/ok +port .* ms\n/)
  expect(stdout).toMatch(/ok +plugin +Service Copy Trade 1\.0\n/)
  expect(stdout).toMatch(/ok +list +1 rule, and total agrees\n/)
  expect(stdout).toMatch(/skipped +capacity .*--capacity <n>/)
  expect(stdout).toMatch(/ok +checks .*read \d+, write \d+, exclusive \d+/)
  expect(stdout).toContain('Ready for any `--risk`.')
  expect(stdout.trimEnd().split('\n')).toHaveLength(14)
  expect(code).toBe(0)
  expect(asked.length).toBeGreaterThan(2)
  expect(asked.filter((request) => !request.startsWith('GET /api/'))).toEqual([])
})

test('a rejected key: exit 4, and the key is not printed', async () => {
  const { url } = await plugin({ apiKey: 'another' })
  const { code, stdout, stderr } = await doctor(url)
  expect(stdout).toMatch(/problem +key .*401 → .*API_Key/)
  expect(stdout).toMatch(/skipped +list .*"key"/)
  expect(stdout).toContain('Not ready')
  expect(code).toBe(4)
  expect(stdout + stderr).not.toContain(key)
})

test.for([
  { hook: 'readApiKeyHeader', works: '`Authorization: Bearer`', fails: '`X-API-Key`', state: 'problem', risk: 'read' },
  {
    ...{ hook: 'readAuthorizationHeader', works: '`X-API-Key`', fails: '`Authorization: Bearer`' },
    ...{ state: 'warning', risk: 'exclusive' },
  },
])('a server that accepts the key only in $works is ready, and the other header is named', async (one) => {
  const { url } = await plugin({ override: () => ({ [one.hook]: () => undefined }) })
  const { code, risk, by } = await diagnose(url)
  expect({ code, risk }).toEqual({ code: 0, risk: one.risk })
  expect(by.key).toMatchObject({ state: 'ok', finding: 'the key is accepted' })
  expect(by['key headers']).toMatchObject({
    state: one.state,
    finding: `the key is accepted in ${one.works}, and rejected with 401 in ${one.fails}`,
  })
  expect(by.list).toMatchObject({ state: 'ok' })
})

test('without a key it examines what needs none, and sends none', async () => {
  const keys: unknown[] = []
  const { url } = await plugin({}, ({ headers }) => keys.push(headers['x-api-key'], headers.authorization))
  const { code, stdout } = await command(['doctor', '--target', url])
  expect(stdout).toMatch(/ok +http +responds in/)
  expect(stdout).toMatch(/problem +key +no key was given → .*`TCK_API_KEY`/)
  expect(stdout).toMatch(/ok +wrong key +a wrong key and a missing key are rejected with 401/)
  expect(stdout).toMatch(/skipped +list .*"key"/)
  expect(code).toBe(4)
  expect(keys.filter((one) => one !== undefined)).toEqual([expect.stringMatching(/^wrong-/)])
})

test('a target that repeats the key does not reveal it', async () => {
  const { url } = await plugin({ plugin: { name: `${key}\u001b[2J`, version: Buffer.from(key).toString('base64') } })
  const { stdout } = await doctor(url)
  expect(stdout).toContain('[redacted]\\u001b[2J')
  expect(stdout).not.toContain(key)
  expect(stdout).not.toContain(Buffer.from(key).toString('base64').slice(0, -4))
})

test('an address where nothing listens and an unknown host name are problems', async () => {
  const port = await freePort()
  const [unreachable, nameless] = await Promise.all([
    diagnose(`http://127.0.0.1:${port}`),
    diagnose('http://nobody.invalid:8443'),
  ])
  expect(unreachable).toMatchObject({ code: 4, ready: false, risk: null })
  expect(unreachable.by.port).toMatchObject({ state: 'problem', finding: expect.stringContaining('nothing listens') })
  expect(unreachable.by.checks).toMatchObject({ state: 'skipped', finding: expect.stringContaining('"port"') })
  expect(nameless.code).toBe(4)
  expect(nameless.by.name?.state).toBe('problem')
})

test.for([
  { what: 'with a certificate', options: () => selfSigned() },
  { what: 'that refuses every handshake', options: () => ({}) },
])('a TLS server $what is diagnosed', async ({ options }) => {
  const server = createTlsServer(options())
  server.on('tlsClientError', () => undefined)
  const { code, by } = await diagnose(`http://127.0.0.1:${await listening(server)}`)
  expect(by.http).toMatchObject({ state: 'problem', finding: expect.stringContaining('TLS') })
  expect(code).toBe(4)
})

test.for([
  { what: 'says nothing', greet: () => undefined, finding: 'it took too long' },
  { what: 'hangs up', greet: (socket: Socket) => socket.destroy(), finding: 'the connection was cut off' },
  { what: 'greets', greet: (socket: Socket) => socket.write('SSH-2.0-server\r\n'), finding: 'not valid HTTP' },
])('a server that does not speak HTTP and $what', async ({ greet, finding }) => {
  const port = await listening(createTcpServer((socket) => void greet(socket)))
  const { code, by } = await diagnose(`http://127.0.0.1:${port}`, '--timeout', '300')
  expect(by.port?.state).toBe('ok')
  expect(by.http).toMatchObject({ state: 'problem', finding: expect.stringContaining(finding) })
  expect(by.clock?.state).toBe('skipped')
  expect(code).toBe(4)
})

test('another web server is not mistaken for the plugin', async () => {
  const port = await listening(createServer((_request, response) => void response.writeHead(404).end('nothing here')))
  const { code, by } = await diagnose(`http://127.0.0.1:${port}`)
  expect(by.plugin).toMatchObject({
    state: 'problem',
    finding: expect.stringMatching(/^No plugin responds at .*: GET \/api\/status returns 404$/),
  })
  expect(code).toBe(4)
})

test("rules in the kit's range make writing unsafe, and a free range is named", async () => {
  const { url } = await plugin({ parameters: { API_Key: key, Copy_1: '900000005>2001,mult,1,same' } })
  const [{ code, risk, by }, better] = await Promise.all([
    diagnose(url),
    diagnose(url, '--logins', '900000006-900001005'),
  ])
  expect(by.logins).toMatchObject({ state: 'problem', remedy: expect.stringContaining('--logins 900000006-900001005') })
  expect({ code, risk }).toEqual({ code: 0, risk: 'read' })
  expect(better.by.logins?.state).toBe('ok')
  expect(better.risk).toBe('exclusive')
})

test('problems that do not prevent a run are warnings: the clock, the license, a full list', async () => {
  const { url } = await plugin(
    {
      parameters: { API_Key: key, Copy_1: '1>2,mult,1,same' },
      plugin: { licenseActive: false },
    },
    (_request, response) => response.setHeader('Date', new Date(Date.now() - 7_200_000).toUTCString()),
  )
  const { code, risk, by } = await diagnose(url, '--capacity', '1')
  expect(by.clock).toMatchObject({ state: 'warning', finding: expect.stringMatching(/^7(19|20)\d s behind/) })
  expect(by.plugin?.state).toBe('warning')
  expect(by.capacity).toMatchObject({ state: 'warning', finding: expect.stringContaining('1 of 1 rules used') })
  expect({ code, risk }).toEqual({ code: 0, risk: 'exclusive' })
})

test('a list that cannot be read, and a key that is not required', async () => {
  const { url } = await plugin({}, (request, response) => {
    request.headers['x-api-key'] = key
    if (request.url === '/api/rules') response.end('{"rules": "none"}')
  })
  const { code, risk, by } = await diagnose(url)
  expect(by['wrong key']).toMatchObject({ state: 'problem', finding: expect.stringContaining('every client') })
  expect(by.list?.state).toBe('problem')
  expect({ code, risk }).toEqual({ code: 0, risk: 'read' })
})

test.for([{ args: ['doctor'], says: '--target' }])('exit 2 for $args: $says', async ({ args, says }) => {
  const { code, stdout, stderr } = await command(args)
  expect(stdout).toBe('')
  expect(stderr).toContain(says)
  expect(code).toBe(2)
})
