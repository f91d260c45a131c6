import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Report } from '../../reports/report.ts'
import { chosenChecks } from '../chosen-checks.ts'
import { command, emptyFolder, start } from '../command.ts'
import { liveKey, startLiveServer } from '../live-server.ts'
import { type RunningProxy, startProxy } from '../proxy.ts'
import { selfSigned } from '../self-signed.ts'

const password = 'a+pass/word=for&proxies'
const credentials = `operator:${password}`

/** Only the proxy knows this name, so every request that arrives has come through the proxy. */
const HOSTS = 'plugin.test=127.0.0.1'

function readReport(folder: string): Report {
  return JSON.parse(readFileSync(join(folder, 'tck-report/report.json'), 'utf8')) as Report
}

function statusesOf(report: Report): readonly string[] {
  return report.requirements.flatMap(({ checks }) => checks.map(({ status }) => status))
}

function environment({ port }: RunningProxy, user = `operator:${encodeURIComponent(password)}`) {
  const url = `http://${user}@127.0.0.1:${port}`
  return { TCK_API_KEY: liveKey, HTTP_PROXY: url, https_proxy: url }
}

async function plainServer(rules = 3) {
  const server = await startLiveServer(rules)
  return { server, url: server.url.replace('127.0.0.1', 'plugin.test') }
}

/** Neither the key nor the password may appear in any text, in any encoding. */
function expectSecrecy(folder: string, ...printed: readonly string[]): void {
  const files = readdirSync(join(folder, 'tck-report')).map((name) => readFileSync(join(folder, 'tck-report', name)))
  for (const text of [...printed, ...files].map(String)) {
    for (const secret of [liveKey, password]) {
      expect(text).not.toContain(secret)
      expect(text).not.toContain(encodeURIComponent(secret))
    }
    expect(text).not.toContain(Buffer.from(credentials).toString('base64'))
  }
}

test('http uses absolute URLs through the proxy, raw bytes use a tunnel, and no verdict is wrong', async () => {
  const { server, url } = await plainServer()
  const before = server.rules()
  const proxy = await startProxy('forward', { HOSTS, CREDENTIALS: credentials })
  const folder = emptyFolder()
  const args = ['run', '--target', url, '--risk', 'write', '--seed', '3', '--evidence', 'all']
  const { code, stdout, stderr } = await command([...args, ...chosenChecks], { env: environment(proxy), cwd: folder })
  expect(stderr).toBe(`Using the proxy http://127.0.0.1:${proxy.port}.\n`)
  expect(stdout).toContain('0 of 3 rules changed')
  const report = readReport(folder)
  expect(report.requirements.filter(({ status }) => ['failed', 'blocked', 'error'].includes(status))).toEqual([])
  expect(code).toBe(0)
  expect(server.rules()).toEqual(before)
  const { host } = new URL(url)
  expect(proxy.lines()).toContain(`POST http://${host}/api/rules`)
  expect(proxy.lines()).toContain(`CONNECT ${host}`)
  expect(report.target.connection).toEqual({ insecure: false, proxy: `http://127.0.0.1:${proxy.port}` })
  expectSecrecy(folder, stdout, stderr)
})

test('https only uses tunnels', async () => {
  const { server } = await plainServer()
  const { key, cert } = selfSigned({ names: ['plugin.test'], addresses: [] })
  const tls = await startProxy('tls', { UPSTREAM_PORT: new URL(server.url).port, TLS_KEY: key, TLS_CERT: cert })
  const proxy = await startProxy('forward', { HOSTS })
  const cwd = emptyFolder()
  writeFileSync(join(cwd, 'ca.pem'), cert)
  const args = ['--target', `https://plugin.test:${tls.port}`, '--ca', 'ca.pem']
  const ended = await command(['run', ...args, ...chosenChecks], { env: environment(proxy), cwd })
  expect(ended).toMatchObject({ code: 0 })
  expect(new Set(proxy.lines())).toEqual(new Set([`CONNECT plugin.test:${tls.port}`]))
  const looked = await command(['doctor', ...args], { env: environment(proxy), cwd })
  expect(looked.stdout).toMatch(/ok +port +the proxy .* accepts a connection\nok +certificate +is trusted/)
  expect(looked.code).toBe(0)
})

test('a proxy that allows no tunnels: raw checks are out of scope with the reason, the others are judged', async () => {
  const { url } = await plainServer()
  const proxy = await startProxy('forward', { HOSTS, CONNECT: 'refused' })
  const folder = emptyFolder()
  const { code } = await command(['run', '--target', url, ...chosenChecks], { env: environment(proxy), cwd: folder })
  const report = readReport(folder)
  const reasons = report.requirements.flatMap(({ checks }) => checks.map(({ message }) => message))
  expect(reasons).toContainEqual(
    expect.stringContaining('raw bytes need a tunnel (CONNECT): the proxy answered 403: the request is not allowed'),
  )
  expect(statusesOf(report)).toContain('passed')
  expect(statusesOf(report)).not.toContain('failed')
  expect(code).toBe(0)
})

test.for([
  { what: 'refuses the tunnel', scheme: 'https', env: { CONNECT: 'refused' }, says: 'the proxy answered 403' },
  { what: 'refuses the password', scheme: 'http', env: { CREDENTIALS: 'a:b' }, says: 'the proxy answered 407' },
  { what: 'refuses the password', scheme: 'https', env: { CREDENTIALS: 'a:b' }, says: 'the proxy answered 407' },
  { what: 'cannot reach the host', scheme: 'http', env: {}, says: 'the proxy answered 502' },
  { what: 'cannot reach the host', scheme: 'https', env: {}, says: 'the proxy answered 502' },
])('a proxy that $what for $scheme: exit 4, and no response of the proxy is judged', async ({ scheme, env, says }) => {
  const proxy = await startProxy('forward', { HOSTS, ...env })
  const target = `${scheme}://plugin.test:1`
  const folder = emptyFolder()
  const [judged, looked] = await Promise.all([
    command(['run', '--target', target], { env: environment(proxy), cwd: folder }),
    command(['doctor', '--target', target], { env: environment(proxy) }),
  ])
  for (const { code, stdout, stderr } of [judged, looked]) {
    expect(stdout + stderr).toContain(says)
    expect(stdout + stderr).toContain('NO_PROXY')
    expect(code).toBe(4)
    expectSecrecy(folder, stdout, stderr)
  }
})

test('a target that crashes behind a proxy is reported as unreachable, not wrong', async () => {
  const { server, url } = await plainServer(20)
  const proxy = await startProxy('forward', { HOSTS })
  const reached = new Promise<void>((resolve) => server.afterWrites(20, resolve))
  const cwd = emptyFolder()
  const args = ['run', '--target', url, '--risk', 'write', '--only', 'plugin.delete.*']
  const running = start(args, { env: environment(proxy), cwd })
  await reached
  await server.crash()
  const { code } = await running.ended
  expect(code).toBe(4)
  expect(statusesOf(readReport(cwd))).not.toContain('failed')
  await server.restart()
  const [ledger = ''] = readdirSync(join(cwd, 'tck-report')).filter((name) => name.startsWith('ledger-'))
  const restore = ['restore', '--ledger', join('tck-report', ledger)]
  expect(await command(restore, { env: environment(proxy), cwd })).toMatchObject({ code: 0 })
  expect(server.rules()).toHaveLength(20)
})

test('a host in NO_PROXY is reached without a proxy, and so is a server that the kit started', async () => {
  const server = await startLiveServer(3)
  const brokenProxy = { ...environment({ port: 1, lines: () => [] }), ALL_PROXY: 'http://127.0.0.1:1' }
  const only = ['--only', 'plugin.status.*']
  const direct = await command(['run', '--target', server.url, ...only], {
    env: { ...brokenProxy, NO_PROXY: 'a.example,127.0.0.0/8' },
  })
  expect(direct).toMatchObject({ code: 0, stderr: '' })
  expect(await command(['run', ...only], { env: brokenProxy })).toMatchObject({ code: 0, stderr: '' })
  const proxied = await command(['run', '--target', server.url, ...only], { env: brokenProxy })
  expect(proxied).toMatchObject({ code: 4, stderr: expect.stringContaining('through the proxy http://127.0.0.1:1)') })
})

test('with a base path every request stays below it, and an initially empty list is judged like any other', async () => {
  const server = await startLiveServer(0)
  const prefix = await startProxy('prefix', { UPSTREAM_PORT: new URL(server.url).port, PREFIX: '/some/prefix' })
  const folder = emptyFolder()
  const target = `http://127.0.0.1:${prefix.port}/some/prefix`
  const env = { TCK_API_KEY: liveKey }
  const args = ['run', '--target', `${target}/api/`, '--risk', 'write', '--skip', 'plugin.robust.*', ...chosenChecks]
  const { code, stdout } = await command(args, { env, cwd: folder })
  expect(stdout).toContain('0 of 0 rules changed')
  const report = readReport(folder)
  const failed = report.requirements.filter(({ status, level }) => status === 'failed' && level === 'required')
  expect(failed.map(({ id }) => id)).toEqual([])
  expect(code).toBe(0)
  expect(prefix.lines().filter((line) => !/^outside (OPTIONS \*|[A-Z]+ \/?$)/.test(line))).toEqual([])
  expect(server.rules()).toEqual([])
  expect(await command(['doctor', '--target', target], { env })).toMatchObject({ code: 0 })
})
