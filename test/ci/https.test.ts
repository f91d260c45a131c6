import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Report } from '../../reports/report.ts'
import { chosenChecks } from '../chosen-checks.ts'
import { command, emptyFolder, start } from '../command.ts'
import { liveEnv as livePlatformEnv, startLivePlatform } from '../live-platform.ts'
import { type LiveServer, liveKey, startLiveServer } from '../live-server.ts'
import { startProxy } from '../proxy.ts'
import { type CertificateOptions, selfSigned } from '../self-signed.ts'

const env = { TCK_API_KEY: liveKey }

function readReport(folder: string): Report {
  return JSON.parse(readFileSync(join(folder, 'tck-report/report.json'), 'utf8')) as Report
}

/** A live server with TLS, and a folder with its certificate. */
async function secureServer(options: CertificateOptions = {}) {
  const server: LiveServer = await startLiveServer(5)
  const { key, cert } = selfSigned(options)
  const { port } = await startProxy('tls', {
    UPSTREAM_PORT: new URL(server.url).port,
    TLS_KEY: key,
    TLS_CERT: cert,
  })
  const folder = emptyFolder()
  writeFileSync(join(folder, 'ca.pem'), cert)
  return { server, folder, url: `https://127.0.0.1:${port}` }
}

test('an https target is judged with the authorities of --ca, raw bytes included', async () => {
  const { server, folder, url } = await secureServer()
  const before = server.rules()
  const args = ['run', '--target', url, '--ca', 'ca.pem', '--risk', 'write', '--seed', '7', '--evidence', 'all']
  const { code, stdout, stderr } = await command([...args, ...chosenChecks], { env, cwd: folder })
  expect(stderr).toBe('')
  expect(stdout).toContain('0 of 5 rules changed')
  const report = readReport(folder)
  expect(report.requirements.filter(({ status }) => ['failed', 'blocked', 'error'].includes(status))).toEqual([])
  expect(code).toBe(0)
  expect(server.rules()).toEqual(before)
  const exchanges = report.requirements.flatMap(({ checks }) => checks.flatMap((check) => check.exchanges))
  expect(exchanges.some(({ request, response }) => request.method === 'RAW' && response?.status === 200)).toBe(true)
  expect(report.target.connection).toEqual({ insecure: false, proxy: null })
})

test.for([
  { what: 'self-signed', options: {}, flags: [], says: ['is not trusted: it is self-signed', '--ca', '--insecure'] },
  {
    what: 'of an authority that --ca does not hold',
    options: {},
    flags: ['--ca', 'other.pem'],
    says: ['is not trusted', '--ca'],
  },
  { what: 'expired', options: { until: '210101000000Z' }, flags: ['--ca', 'ca.pem'], says: ['has expired', 'Renew'] },
  {
    what: 'for another host',
    options: { names: ['plugin.example'], addresses: ['10.0.0.1'] },
    flags: ['--ca', 'ca.pem'],
    says: ['is for another host: it names plugin.example, 10.0.0.1, not 127.0.0.1', '--target'],
  },
])('a certificate $what: exit 4 from run, doctor and restore, and the key is not sent', async (row) => {
  const { options, flags, says } = row
  const { server, folder, url } = await secureServer(options)
  const asked = server.methods.length
  writeFileSync(join(folder, 'other.pem'), selfSigned().cert)
  const opening = { event: 'open', schema: 'copytrade-tck/ledger@1', target: url, startedAt: '', before: [] }
  writeFileSync(join(folder, 'l.jsonl'), `${JSON.stringify({ ...opening, logins: { from: 1, to: 9 } })}\n`)
  const ended = await Promise.all([
    command(['run', '--target', url, ...flags], { env, cwd: folder }),
    command(['doctor', '--target', url, ...flags], { env, cwd: folder }),
    command(['restore', '--ledger', 'l.jsonl', ...flags], { env, cwd: folder }),
  ])
  for (const { code, stdout, stderr } of ended) {
    for (const text of says) expect(stdout + stderr).toContain(text)
    expect(code).toBe(4)
  }
  expect(server.methods.length).toBe(asked)
})

test('--insecure accepts any certificate, and says so prominently in the terminal and in every report', async () => {
  const { folder, url } = await secureServer({ until: '210101000000Z' })
  const args = ['--target', url, '--insecure']
  const { code, stdout, stderr } = await command(['run', ...args, ...chosenChecks], { env, cwd: folder })
  expect(code).toBe(0)
  expect(stderr).toMatch(/^WARNING: `--insecure`: .*can read the key/)
  expect(stdout).toContain('--insecure')
  expect(readReport(folder).target.connection).toEqual({ insecure: true, proxy: null })
  for (const name of ['report.html', 'summary.md', 'junit.xml']) {
    expect(readFileSync(join(folder, 'tck-report', name), 'utf8'), name).toContain('insecure')
  }
  const looked = await command(['doctor', ...args], { env, cwd: folder })
  expect(looked).toMatchObject({ code: 0, stdout: expect.stringMatching(/warning +certificate +not verified/) })
})

test('a platform over https is judged together with a plugin over http, and every report says if a certificate was not verified', async () => {
  const platform = await startLivePlatform()
  const plugin = await startLiveServer(5)
  const { key, cert } = selfSigned({})
  const upstream = { UPSTREAM_PORT: new URL(platform.url).port, TLS_KEY: key, TLS_CERT: cert }
  const { port } = await startProxy('tls', upstream)
  const folder = emptyFolder()
  writeFileSync(join(folder, 'ca.pem'), cert)
  const args = ['run', '--platform-url', `https://127.0.0.1:${port}`, '--target', plugin.url]
  const only = ['--only', 'platform.*', '--only', 'plugin.status.*']
  const both = { env: { ...env, ...livePlatformEnv }, cwd: folder }

  const trusted = await command([...args, ...only, '--ca', 'ca.pem'], both)
  expect(trusted).toMatchObject({ code: 0, stderr: '' })
  expect(readReport(folder).requirements.filter(({ status }) => status === 'failed')).toEqual([])

  const unseen = await command([...args, ...only, '--insecure'], both)
  expect(unseen).toMatchObject({ code: 0, stderr: expect.stringMatching(/^WARNING: `--insecure`: /) })
  expect(readReport(folder)).toMatchObject({
    target: { connection: { insecure: false } },
    platform: { connection: { insecure: true, proxy: null } },
  })
  for (const name of ['report.html', 'summary.md', 'junit.xml']) {
    const text = readFileSync(join(folder, 'tck-report', name), 'utf8')
    expect(text, name).toContain('insecure: the certificate of the platform was not verified')
  }
  expect(unseen.stdout).toContain('insecure: the certificate of the platform was not verified')
})

test('doctor shows when a certificate expires, and detects http on an https port', async () => {
  const { server, folder, url } = await secureServer()
  const good = await command(['doctor', '--target', url, '--ca', 'ca.pem'], { env, cwd: folder })
  expect(good).toMatchObject({ code: 0, stdout: expect.stringContaining('is trusted until 2049-12-31') })
  const plain = await command(['doctor', '--target', server.url.replace('http:', 'https:')], { env, cwd: folder })
  expect(plain).toMatchObject({ code: 4, stdout: expect.stringMatching(/problem +certificate +TLS failed/) })
})

test('killed over https: the ledger is sufficient to restore', async () => {
  const { server, folder, url } = await secureServer()
  const before = server.rules()
  const reached = new Promise<void>((resolve) => server.afterWrites(3, resolve))
  const args = ['run', '--target', url, '--ca', 'ca.pem', '--risk', 'write', '--only', 'plugin.delete.*']
  const running = start(args, { env, cwd: folder })
  await reached
  running.child.kill('SIGKILL')
  await running.ended
  const [ledger = ''] = readdirSync(join(folder, 'tck-report')).filter((name) => name.startsWith('ledger-'))
  const restored = await command(['restore', '--ledger', join('tck-report', ledger)], { env, cwd: folder })
  expect(restored).toMatchObject({ code: 0, stdout: expect.stringContaining('No rule of the kit is left') })
  expect(server.rules()).toEqual(before)
})

test.for([
  { args: ['--target', 'http://a', '--insecure'], says: '`--insecure` requires an https URL' },
  { args: ['--target', 'http://a', '--ca', 'ca.pem'], says: '`--ca` requires an https URL' },
  { args: ['--target', 'https://a', '--ca', 'missing.pem'], says: '`--ca` cannot be read' },
  { args: ['--target', 'https://a', '--ca', 'empty.pem'], says: '`--ca` contains no valid certificate' },
  { args: ['--target', 'https://a', '--ca', 'ca.pem', '--insecure'], says: 'exclude each other' },
  { args: ['--target', 'ftp://a'], says: 'use http or https' },
])('exit 2 for $args: $says', async ({ args, says }) => {
  const cwd = emptyFolder()
  writeFileSync(join(cwd, 'empty.pem'), '')
  const { code, stderr } = await command(['run', ...args], { env, cwd })
  expect(stderr).toContain(says)
  expect(code).toBe(2)
})
