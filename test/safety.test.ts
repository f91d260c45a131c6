import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { xorshift128plus } from 'pure-rand/generator/xorshift128plus'
import { expect, onTestFinished, test } from 'vitest'
import type { Report } from '../reports/report.ts'
import { command, emptyFolder, start } from './command.ts'
import { type LiveServer, liveKey, startLiveServer } from './live-server.ts'

const env = { TCK_API_KEY: liveKey }
const deletes = ['--risk', 'write', '--only', 'plugin.delete.*', '--only', 'plugin.add.created']

/** Below the number of writes that the chosen checks send, so that each moment comes. */
const mostWrites = 180

/** A hundred by hand; a few in each run of the tests. */
const kills = Number(process.env.TCK_KILLS ?? 4)

function readReport(folder: string): Report {
  return JSON.parse(readFileSync(join(folder, 'tck-report/report.json'), 'utf8')) as Report
}

function ledgerIn(folder: string): string {
  const name = readdirSync(join(folder, 'tck-report')).find((file) => file.startsWith('ledger-'))
  if (name === undefined) throw new Error('there is no ledger')
  return join('tck-report', name)
}

/** Starts a run and resolves once it has sent so many writes. */
async function runUntil(server: LiveServer, writes: number, folder: string, more: readonly string[] = []) {
  const reached = new Promise<void>((resolve) => server.afterWrites(writes, resolve))
  const running = start(['run', '--target', server.url, ...deletes, ...more], { env, cwd: folder })
  await Promise.race([reached, running.ended.then((end) => Promise.reject(new Error(`ended early: ${end.stdout}`)))])
  return running
}

test('a run says what is about to happen, and leaves a ledger that is closed', async () => {
  const server = await startLiveServer(200)
  const before = server.rules()
  const folder = emptyFolder()
  const { code, stdout } = await command(['run', '--target', server.url, ...deletes], { env, cwd: folder })
  expect(stdout).toMatch(/About to add and remove rules .* next to 200 rules of others; at most \d+ writes/)
  expect(stdout).toContain('0 of 200 rules changed')
  expect(code).toBe(0)
  expect(server.rules()).toEqual(before)
  expect(
    readFileSync(join(folder, ledgerIn(folder)), 'utf8')
      .trim()
      .split('\n')
      .at(-1),
  ).toBe('{"event":"closed"}')
})

test('--plan prints what would be sent, and sends nothing', async () => {
  const server = await startLiveServer(3)
  const asked = server.methods.length
  const { code, stdout } = await command(['run', '--target', server.url, ...deletes, '--plan'], { env })
  expect(code).toBe(0)
  expect(stdout).toMatch(/CT-401 .*\n(?: {2}.*\n)* {2}POST \/api\/rules \{"master":/)
  expect(stdout).toMatch(/\d+ checks, \d+ writes/)
  expect(server.methods.length).toBe(asked)
})

test(`killed at ${kills} random moments, and restored: the list is exactly as before`, {
  timeout: 900_000,
}, async () => {
  const seed = Number(process.env.TCK_SEED ?? Date.now() % 2 ** 31)
  console.info(`seed ${seed}`)
  const random = xorshift128plus(seed)
  let leftBehind = 0
  for (let round = 0; round < kills; round += 1) {
    const server = await startLiveServer(200)
    const before = server.rules()
    const folder = emptyFolder()
    const running = await runUntil(server, uniformInt(random, 1, mostWrites), folder)
    running.child.kill('SIGKILL')
    await running.ended
    leftBehind += server.rules().length - before.length
    const restored = await command(['restore', '--ledger', ledgerIn(folder)], { env, cwd: folder })
    expect(restored.stdout).toContain('No rule of the kit is left; 0 changes to the 200 rules')
    expect(restored.code).toBe(0)
    expect(server.rules(), `round ${round} of seed ${seed}`).toEqual(before)
  }
  // Had no kill left anything behind, the test would show nothing.
  expect(leftBehind).toBeGreaterThan(0)
})

test('a new run does not start while an earlier one is unfinished', async () => {
  const server = await startLiveServer(5)
  const folder = emptyFolder()
  const running = await runUntil(server, 7, folder)
  running.child.kill('SIGKILL')
  await running.ended
  const again = await command(['run', '--target', server.url, ...deletes], { env, cwd: folder })
  expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('copytrade-tck restore --ledger') })
  await command(['restore', '--ledger', ledgerIn(folder)], { env, cwd: folder })
  const third = await command(['run', '--target', server.url, '--only', 'plugin.add.created', '--risk', 'write'], {
    env,
    cwd: folder,
  })
  expect(third.code).toBe(0)
})

test.for(['SIGINT', 'SIGTERM'] as const)('%s: the run stops, cleans up, and writes its report', async (signal) => {
  const server = await startLiveServer(20)
  const before = server.rules()
  const folder = emptyFolder()
  const running = await runUntil(server, 40, folder)
  running.child.kill(signal)
  const { code, stdout } = await running.ended
  expect(code).toBe(3)
  expect(stdout).toContain('0 of 20 rules changed')
  expect(server.rules()).toEqual(before)
  const checks = readReport(folder).requirements.flatMap((requirement) => requirement.checks)
  expect(checks.some(({ message }) => message?.includes('interrupted') === true)).toBe(true)
})

test('a server that dies: exit 4, one reason instead of many failures, and a restore that mends it later', async () => {
  const server = await startLiveServer(20)
  const before = server.rules()
  const folder = emptyFolder()
  const running = await runUntil(server, 43, folder)
  await server.die()
  const { code, stdout } = await running.ended
  expect(code).toBe(4)
  expect(stdout).toContain('copytrade-tck restore --ledger')
  const report = readReport(folder)
  expect(report.requirements.filter(({ status }) => status === 'failed')).toEqual([])
  const gone = await command(['restore', '--ledger', ledgerIn(folder)], { env, cwd: folder })
  expect(gone.code).toBe(4)
  await server.comeBack()
  const restored = await command(['restore', '--ledger', ledgerIn(folder)], { env, cwd: folder })
  expect(restored.code).toBe(0)
  expect(server.rules()).toEqual(before)
})

test('a server that dies during a run that only reads: exit 4', async () => {
  const server = await startLiveServer(2)
  const running = start(['run', '--target', server.url], { env })
  await running.printed(/CT-701/)
  await server.die()
  expect(await running.ended).toMatchObject({ code: 4 })
})

test('a worker that dies: exit 70, and the list is as before', async () => {
  const server = await startLiveServer(20)
  const before = server.rules()
  const folder = emptyFolder()
  // Ends every thread but the main one as soon as a file appears.
  const trap = join(folder, 'trap.cjs')
  writeFileSync(
    trap,
    `const { isMainThread } = require('node:worker_threads'); const { existsSync } = require('node:fs')
     if (!isMainThread) setInterval(() => existsSync(${JSON.stringify(join(folder, 'now'))}) && process.exit(9), 5).unref()`,
  )
  const reached = new Promise<void>((resolve) => server.afterWrites(30, resolve))
  const running = start(['run', '--target', server.url, ...deletes], {
    env: { ...env, NODE_OPTIONS: `--require ${trap}` },
    cwd: folder,
  })
  await reached
  writeFileSync(join(folder, 'now'), '')
  const { code, stderr } = await running.ended
  expect(server.rules()).toEqual(before)
  expect(stderr).toContain('0 of 20 rules changed')
  expect(code).toBe(70)
})

test('somebody else changes the list: the run stops, says what changed, and blames nothing on the server', async () => {
  const server = await startLiveServer(20)
  const folder = emptyFolder()
  const running = await runUntil(server, 30, folder)
  const added = { master: 3005, follower: 45163, mode: 'fixed', value: 2, direction: 'reverse' }
  await fetch(`${server.url}/api/rules`, {
    method: 'POST',
    headers: { 'X-API-Key': liveKey, Connection: 'close' },
    body: JSON.stringify(added),
  })
  const { code, stdout } = await running.ended
  expect(code).toBe(3)
  expect(stdout).toContain('3005>45163 fixed 2 reverse')
  expect(stdout).toContain('0 of 20 rules changed by the kit')
  const report = readReport(folder)
  expect(report.verdict).toBe('incomplete')
  expect(report.requirements.filter(({ status }) => status === 'failed')).toEqual([])
  expect(server.rules().filter(({ follower }) => follower >= 900_000_000n)).toEqual([])
  expect(server.rules()).toHaveLength(21)
})

/** A proxy that cuts every n-th connection when the answer begins to come back. */
async function cuttingProxy(target: string, every: number): Promise<string> {
  let count = 0
  const { hostname, port } = new URL(target)
  const proxy = createServer((downstream) => {
    count += 1
    const cut = count % every === 0
    const upstream = connect(Number(port), hostname)
    for (const socket of [upstream, downstream]) socket.on('error', () => undefined)
    downstream.pipe(upstream)
    upstream.on('data', (chunk) => (cut ? downstream.resetAndDestroy() : downstream.write(chunk)))
    upstream.on('end', () => downstream.end())
    downstream.on('close', () => upstream.destroy())
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    proxy.close()
  })
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
}

test('a proxy that cuts connections after the server has acted: the list is as before', async () => {
  const server = await startLiveServer(20)
  const before = server.rules()
  const proxy = await cuttingProxy(server.url, 9)
  const folder = emptyFolder()
  await command(['run', '--target', proxy, ...deletes], { env, cwd: folder })
  const restored = await command(['restore', '--ledger', ledgerIn(folder), '--api-key', liveKey], { cwd: folder })
  expect([0, 4], restored.stdout + restored.stderr).toContain(restored.code)
  if (restored.code === 4) await command(['restore', '--ledger', ledgerIn(folder)], { env, cwd: folder })
  expect(server.rules()).toEqual(before)
})
