import { expect, onTestFinished, test } from 'vitest'
import { createSimulator } from '../simulator/index.ts'
import { command } from './command.ts'
import { liveKey, rulesOfOthers } from './live-server.ts'

/** A running server with three rules of others. */
async function startServer() {
  const simulator = createSimulator({ port: 0, parameters: { API_Key: liveKey, ...rulesOfOthers(3) } })
  await simulator.start()
  onTestFinished(() => simulator[Symbol.asyncDispose]())
  return simulator
}

const load = (url: string, ...args: readonly string[]) =>
  command(['load', '--target', url, '--duration', '1s', '--rate', '40', ...args], { env: { TCK_API_KEY: liveKey } })

test('load measures reads and writes, and leaves the list as it was', async () => {
  const server = await startServer()
  const rules = server.rules
  const { code, stdout, stderr } = await load(server.url, '--risk', 'write', '--writes', '3')
  expect(code, stdout + stderr).toBe(0)
  const counts = [...stdout.matchAll(/^(\w+ \S+) +(\d+) .* ms$/gm)].map(([, operation, count]) => [operation, count])
  expect(Object.fromEntries(counts)).toEqual({
    ...{ 'GET /api/status': '20', 'GET /api/rules': '20' },
    ...{ 'POST /api/rules': '3', 'DELETE /api/rules/{n}': '3' },
  })
  expect(stdout).toContain('\n0 of 3 rules changed\n')
  expect(stdout + stderr).not.toContain(liveKey)
  expect(server.rules).toEqual(rules)
})

test('exit 1 where an operation is slower than --max-p99, and where a request fails', async () => {
  const server = await startServer()
  server.control.faults.add({ when: { path: '/api/status' }, effect: { kind: 'delay', ms: 1_500 } })
  const slow = await load(server.url, '--risk', 'write', '--max-p99', '1000')
  expect(slow.code, slow.stdout).toBe(1)
  expect(slow.stdout).toMatch(/^GET \/api\/status .*\n {2}above --max-p99 1000\n/m)
  server.control.faults.clear()
  server.control.faults.add({
    when: { path: '/api/rules', method: 'GET' },
    skip: 3,
    times: 1,
    effect: { kind: 'answer', status: 500 },
  })
  const failing = await load(server.url, '--risk', 'write', '--writes', '0')
  expect(failing.code, failing.stdout).toBe(1)
  expect(failing.stdout).toContain('failed 1 time: status 500')
})

test('exit 5 where a rule of the kit cannot be removed', async () => {
  const server = await startServer()
  server.control.faults.add({ when: { method: 'DELETE' }, effect: { kind: 'answer', status: 503 } })
  const { code, stdout } = await load(server.url, '--risk', 'write', '--cleanup-timeout', '500')
  expect(code, stdout).toBe(5)
  expect(stdout).toContain('the list was NOT restored')
})

test('a running server gets no load without --risk write', async () => {
  const server = await startServer()
  const { code, stderr } = await load(server.url)
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('requires `--risk write`') })
})

test('--export k6 prints a script without the key', async () => {
  const { code, stdout } = await load('http://trade.example', '--export', 'k6', '--max-p99', '200')
  expect(code).toBe(0)
  expect(stdout).not.toContain(liveKey)
  expect(stdout).toContain('"http_req_duration": [\n      "p(99)<=200"')
  // It is a module that parses.
  const module = stdout.replaceAll(/^import .*$/gm, '').replaceAll(/^export /gm, '')
  expect(() => new Function('__ENV', module)).not.toThrow()
})
