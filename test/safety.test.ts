import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { xorshift128plus } from 'pure-rand/generator/xorshift128plus'
import { expect, test } from 'vitest'
import { seed, testSize } from '../fixtures/test-size.ts'
import type { Report } from '../reports/report.ts'
import { pluginDefects } from '../simulator/plugin/defects/index.ts'
import { command, emptyFolder, start } from './command.ts'
import { type LiveServer, liveKey, startLiveServer } from './live-server.ts'

const env = { TCK_API_KEY: liveKey }
const chosen = ['plugin.delete.*', 'plugin.add.created', 'plugin.sequence.list']
const deletes = ['--risk', 'write', ...chosen.flatMap((id) => ['--only', id])]

/** Below the number of writes that the chosen checks send, so that each moment is reached. */
const mostWrites = 120

const kills = testSize(2, 100)

function readReport(folder: string): Report {
  return JSON.parse(readFileSync(join(folder, 'tck-report/report.json'), 'utf8')) as Report
}

function ledgerIn(folder: string): string {
  const name = readdirSync(join(folder, 'tck-report')).find((file) => file.startsWith('ledger-'))
  if (name === undefined) throw new Error('there is no ledger')
  return join('tck-report', name)
}

/** Starts a run and resolves once it has sent this many writes. */
async function runUntil(server: LiveServer, writes: number, folder: string, more: readonly string[] = [], state = {}) {
  const reached = new Promise<void>((resolve) => server.afterWrites(writes, resolve))
  const running = start(['run', '--target', server.url, ...deletes, ...more], {
    env: { ...env, ...state },
    cwd: folder,
  })
  await Promise.race([reached, running.ended.then((end) => Promise.reject(new Error(`ended early: ${end.stdout}`)))])
  return running
}

test('a run says what it is going to do, and leaves a closed ledger', async () => {
  const server = await startLiveServer(200)
  const before = server.rules()
  const folder = emptyFolder()
  const { code, stdout } = await command(['run', '--target', server.url, ...deletes], { env, cwd: folder })
  expect(stdout).toMatch(
    /The run adds and removes its own rules .* which has 200 rules\.\nIt sends about \d+ writes, and stops before it sends more than \d+ /,
  )
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

test('a check that needs rules in an empty list may add them, even if it runs alone', async () => {
  const server = await startLiveServer(0)
  const args = ['run', '--target', server.url, '--risk', 'write', '--only', 'plugin.index.base']
  const folder = emptyFolder()
  const { stdout } = await command(args, { env, cwd: folder })
  expect(readReport(folder).observations).toMatchObject([{ question: 'plugin.index.base', answer: '0' }])
  expect(stdout).toContain('0 of 0 rules changed')
})

test('--plan prints a summary, each request, or JSON, and sends nothing', async () => {
  const server = await startLiveServer(3)
  const asked = server.methods.length
  const plan = (...how: readonly string[]) => command(['run', '--target', server.url, ...deletes, ...how], { env })
  const [summary, full, json] = await Promise.all([plan('--plan'), plan('--plan=full'), plan('--plan=json')])
  expect([summary.code, full.code, json.code]).toEqual([0, 0, 0])
  expect(summary.stdout).toMatch(/^Plan for the server at .*\n\n\d+ checks would send \d+ requests: GET \d+, /)
  expect(summary.stdout).toMatch(
    /\n\d+ of them are writes\. A run sends fewer where checks share responses, and stops before it sends more than \d+/,
  )
  expect(summary.stdout.split('\n').length).toBeLessThan(20)
  expect(full.stdout).toMatch(/CT-401 .*\n(?: {2}.*\n)* {2}POST \/api\/rules \{"master":/)
  const document = JSON.parse(json.stdout) as { readonly checks: readonly { readonly requests: readonly object[] }[] }
  expect(document).toMatchObject({ apis: [{ url: server.url, risk: 'write' }], writes: expect.any(Number) })
  expect(document.checks[0]?.requests[0]).toMatchObject({ method: 'GET', path: expect.any(String) })
  expect(server.methods.length).toBe(asked)
})

test('a plan at --risk read has no write, and contains no address except that of the target', async () => {
  const server = await startLiveServer(3)
  const { stdout } = await command(['run', '--target', server.url, '--plan=full'], { env })
  expect(stdout).toContain('\n0 of them are writes.')
  const hosts = new Set([...stdout.matchAll(/127\.0\.0\.1:\d+/g)].map(([host]) => `http://${host}`))
  expect([...hosts]).toEqual([server.url])
})

test(`killed at ${kills} random moments, and restored: the list is exactly as before`, {
  timeout: 900_000,
}, async () => {
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
  // If no kill had left anything, the test would show nothing.
  expect(leftBehind).toBeGreaterThan(0)
})

test('a foreign rule with a login of the kit stays, whether it is added during the run or before a restore', async () => {
  const add = (server: LiveServer, follower: number) =>
    fetch(`${server.url}/api/rules`, {
      method: 'POST',
      headers: { 'X-API-Key': liveKey, 'Content-Type': 'application/json' },
      body: JSON.stringify({ master: 4711, follower, mode: 'mult', value: 7, direction: 'same' }),
    })
  const masters = (server: LiveServer) => server.rules().map(({ master }) => Number(master))
  const [inTheMiddle, beforeRestore] = [await startLiveServer(3), await startLiveServer(3)]
  const folders = [emptyFolder(), emptyFolder()] as const

  const running = await runUntil(inTheMiddle, 30, folders[0])
  await add(inTheMiddle, 900_000_001)
  expect(await running.ended).toMatchObject({ code: 3, stdout: expect.stringContaining('4711>900000001') })
  expect(masters(inTheMiddle)).toEqual([1000, 1001, 1002, 4711])

  const killed = await runUntil(beforeRestore, 30, folders[1])
  killed.child.kill('SIGKILL')
  await killed.ended
  await add(beforeRestore, 900_000_500)
  const restored = await command(['restore', '--ledger', ledgerIn(folders[1])], { env, cwd: folders[1] })
  expect(restored).toMatchObject({ code: 0, stdout: expect.stringContaining('4711>900000500') })
  expect(masters(beforeRestore)).toEqual([1000, 1001, 1002, 4711])
})

test('an unfinished run is found from another folder, by a run and by `restore`', async () => {
  const server = await startLiveServer(5)
  const state = { XDG_STATE_HOME: emptyFolder() }
  const killed = await runUntil(server, 7, emptyFolder(), [], state)
  const run = () => command(['run', '--target', server.url, ...deletes], { env: { ...env, ...state } })
  expect(await run()).toMatchObject({ code: 2, stderr: expect.stringMatching(/^Another run \(process \d+\) changes/) })
  killed.child.kill('SIGKILL')
  await killed.ended
  const refused = await run()
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringMatching(/Finish it first: .*restore --ledger \//) })
  const restored = await command(['restore'], { env: { ...env, ...state } })
  expect(restored).toMatchObject({ code: 0, stdout: expect.stringContaining('No rule of the kit is left') })
  expect(await command(['restore'], { env: { ...env, ...state } })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('No unfinished run of this user was found'),
  })
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

test('a server that crashes: exit 4, one reason instead of many failures, and a later restore that fixes it', async () => {
  const server = await startLiveServer(20)
  const before = server.rules()
  const folder = emptyFolder()
  const running = await runUntil(server, 43, folder)
  await server.crash()
  const { code, stdout } = await running.ended
  expect(code).toBe(4)
  expect(stdout).toContain('copytrade-tck restore --ledger')
  const report = readReport(folder)
  expect(report.requirements.filter(({ status }) => status === 'failed')).toEqual([])
  const gone = await command(['restore', '--ledger', ledgerIn(folder)], { env, cwd: folder })
  expect(gone.code).toBe(4)
  await server.restart()
  const restored = await command(['restore', '--ledger', ledgerIn(folder)], { env, cwd: folder })
  expect(restored.code).toBe(0)
  expect(server.rules()).toEqual(before)
})

test('a server that does not remove the kit’s rules has failed, and gets no more of them: those of one check are left', async () => {
  const server = await startLiveServer(20, { override: () => ({ removeRule: (list) => list }) })
  const folder = emptyFolder()
  const args = ['run', '--target', server.url, '--risk', 'write', '--only', 'plugin.add.created']
  const { code, stdout } = await command(args, { env, cwd: folder })
  expect(code).toBe(5)
  const report = readReport(folder)
  const checks = report.requirements.flatMap((requirement) => requirement.checks)
  const failed = report.requirements.filter(({ status }) => status === 'failed').map(({ id }) => id)
  expect({ verdict: report.verdict, failed }).toEqual({
    verdict: 'non-conformant',
    failed: ['plugin.rule.exists-until-removed'],
  })
  const isWrite = ({ request }: { request: { method: string } }) => request.method === 'POST'
  const added = checks.filter(({ exchanges }) => exchanges.some(isWrite))
  expect(added).toMatchObject([{ status: 'passed' }])
  expect(stdout).toContain('does not remove the rules of the kit')
  expect(server.rules()).toHaveLength(20 + added.flatMap(({ exchanges }) => exchanges).filter(isWrite).length)
})

test('rules of the kit that a server stores with another login are removed', async () => {
  const { override } = pluginDefects.find(({ id }) => id === 'rule.exponent-of-login-ignored') ?? {}
  const server = await startLiveServer(5, override && { override })
  const before = server.rules()
  const args = ['run', '--target', server.url, '--risk', 'write', '--only', 'plugin.rule.as-sent', '--only', 'CQ-41*']
  const { code, stdout } = await command(args, { env, cwd: emptyFolder() })
  expect(stdout).toContain('0 of 5 rules changed')
  expect(stdout).not.toContain('left behind')
  expect(server.rules()).toEqual(before)
  expect(code).toBe(1)
})

test('a server that crashes before the first write: exit 4, and nothing to restore before the next run', async () => {
  const server = await startLiveServer(2)
  const front = createServer((request, response) => {
    const { url = '', headers } = request
    void fetch(server.url + url, { headers: { 'X-API-Key': String(headers['x-api-key']) } }).then(async (answer) => {
      response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(await answer.text())
      // The request before the run is the last one that it receives.
      if (url === '/api/rules') front.close().closeIdleConnections()
    })
  })
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
  const folder = emptyFolder()
  const target = `http://127.0.0.1:${(front.address() as AddressInfo).port}`
  const args = ['run', '--target', target, '--risk', 'write', '--only', 'plugin.list.*']
  const { code, stdout } = await command(args, { env, cwd: folder })
  expect(stdout).toContain('The run adds and removes its own rules')
  expect(stdout).not.toContain('restore --ledger')
  expect(code).toBe(4)
  expect(await command(args, { env, cwd: folder })).toMatchObject({ code: 4 })
})

test('a server that crashes during a run that only reads: exit 4', async () => {
  const server = await startLiveServer(2)
  const running = start(['run', '--target', server.url, '--reporter', 'list'], { env })
  await running.printed(/CT-701/)
  await server.crash()
  expect(await running.ended).toMatchObject({ code: 4 })
})

test('another client changes the list: the run stops, reports the changes, and does not blame the server', async () => {
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
  expect(stdout).toContain('another client changed the list during the run: added: 3005>45163 fixed 2 reverse')
  expect(stdout).toContain('0 of 20 rules changed by the kit')
  const report = readReport(folder)
  expect(report.verdict).toBe('incomplete')
  expect(report.requirements.filter(({ status }) => status === 'failed')).toEqual([])
  expect(server.rules().filter(({ follower }) => follower >= 900_000_000n)).toEqual([])
  expect(server.rules()).toHaveLength(21)
})
