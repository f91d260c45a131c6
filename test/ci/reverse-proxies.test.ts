import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../fixtures/free-port.ts'
import { programOrSkip } from '../../fixtures/programs.ts'
import { type ReverseProxy, reverseProxies, startReverseProxy } from '../../fixtures/proxies/reverse.ts'
import { isProof, someOf } from '../../fixtures/test-size.ts'
import type { Report } from '../../reports/report.ts'
import { command, emptyFolder } from '../command.ts'
import { liveKey, startLiveServer } from '../live-server.ts'
import { startProxy } from '../proxy.ts'
import { type SupervisedServer, startSupervised, supervisedKey } from '../supervised-server.ts'

/** Starts a proxy in front of a server; it ends with the test. */
async function inFrontOf(target: string, name: ReverseProxy): Promise<string> {
  const { url, process } = await startReverseProxy(name, { target, port: await freePort(), folder: emptyFolder() })
  onTestFinished(() => void process.kill())
  return url
}

/** The checks that failed or could not be judged. */
function unsuccessful(folder: string): readonly string[] {
  const { requirements } = JSON.parse(readFileSync(join(folder, 'tck-report/report.json'), 'utf8')) as Report
  return requirements
    .flatMap(({ checks }) => checks)
    .filter(({ status }) => ['failed', 'blocked', 'error'].includes(status))
    .map(({ id, status, message }) => `${status} ${id} ${message}`)
}

/** Without the proof: the checks whose requests a proxy may answer itself. */
const chosen = isProof
  ? []
  : ['plugin.errors.*', 'plugin.http.*', 'plugin.path.*', 'plugin.delete.index-*'].flatMap((id) => ['--only', id])

test.for(someOf(reverseProxies, 1))(
  'a plugin without a fault passes behind %s',
  { timeout: 300_000 },
  async (name, { skip }) => {
    programOrSkip(name, skip)
    const server = await startLiveServer(3, { capacity: 24 })
    const before = server.rules()
    const url = await inFrontOf(server.url, name)
    const folder = emptyFolder()
    const args = ['run', '--target', url, '--risk', 'exclusive', '--capacity', '24', '--seed', '7', ...chosen]
    const { code, stdout } = await command(args, { env: { TCK_API_KEY: liveKey }, cwd: folder })
    expect(unsuccessful(folder)).toEqual([])
    expect(code, stdout).toBe(0)
    expect(server.rules()).toEqual(before)
  },
)

const steps = ['stop', 'start', 'set-parameters', 'delete-rules-file'] as const

/** Judges the life cycle of a server behind a proxy by hooks. */
async function judgeByHooks(server: SupervisedServer, url: string, hooks: readonly string[]) {
  const folder = emptyFolder()
  const only = ['CT-601', 'CT-622', 'CT-741'].flatMap((id) => ['--only', id])
  const args = ['run', '--target', url, '--risk', 'exclusive', '--parameters', server.before, ...hooks, ...only]
  return { folder, ...(await command(args, { env: { TCK_API_KEY: supervisedKey }, cwd: folder })) }
}

test.for(someOf(reverseProxies, 1))(
  'the life cycle of a server behind %s is judged by hooks',
  async (name, { skip }) => {
    programOrSkip(name, skip)
    const server = await startSupervised()
    const before = await server.list()
    const url = await inFrontOf(server.url, name)
    const { folder, code, stdout } = await judgeByHooks(
      server,
      url,
      steps.flatMap((step) => server.hook(step)),
    )
    expect(unsuccessful(folder)).toEqual([])
    expect(code, stdout).toBe(0)
    expect(await server.list()).toBe(before)
  },
)

test('a server that a hook has stopped runs again, even if something else still responds at its address', async () => {
  const server = await startSupervised()
  const before = await server.list()
  const { port } = await startProxy('prefix', { UPSTREAM_PORT: new URL(server.url).port, PREFIX: '', WHEN_DOWN: '404' })
  const url = `http://127.0.0.1:${port}`
  const { code, stdout } = await judgeByHooks(
    server,
    url,
    steps.flatMap((step) => server.hook(step)),
  )
  expect(stdout).toContain('`--hook-stop` exited with code 0, but the server still answers')
  expect(code, stdout).toBe(3)
  expect(await server.list()).toBe(before)
})

test.for([
  { what: 'a plugin', args: ['--target'], env: { TCK_API_KEY: liveKey } },
  { what: 'a platform', args: ['--risk', 'read', '--platform-url'], env: { TCK_PLATFORM_KEY: liveKey } },
])('$what that is down behind a proxy cannot be reached, and is not judged', async ({ args, env }) => {
  const { port } = await startProxy('prefix', { UPSTREAM_PORT: String(await freePort()), PREFIX: '', WHEN_DOWN: '503' })
  const { code, stderr } = await command(['run', ...args, `http://127.0.0.1:${port}`], { env, cwd: emptyFolder() })
  expect(code, stderr).toBe(4)
  expect(stderr).toContain('503')
})

test('a plugin that goes away during a run is not accused of what a proxy responds in its place', async () => {
  const server = await startLiveServer(3)
  const upstream = { UPSTREAM_PORT: new URL(server.url).port, PREFIX: '', WHEN_DOWN: '502' }
  const { port } = await startProxy('prefix', upstream)
  server.afterWrites(20, () => void server.crash())
  const folder = emptyFolder()
  const args = ['run', '--target', `http://127.0.0.1:${port}`, '--risk', 'write', '--seed', '7', '--timeout', '2000']
  const { code, stdout } = await command(args, { env: { TCK_API_KEY: liveKey }, cwd: folder })
  expect(unsuccessful(folder).filter((check) => !check.startsWith('blocked'))).toEqual([])
  expect(code, stdout).toBe(4)
})
