import { execFile } from 'node:child_process'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { directTransport } from '../suites/client/transport.ts'
import { unguardedSettings } from '../suites/runner/plugin/settings.ts'

const moduleAt = (name: string) => fileURLToPath(new URL(`broken-modules/${name}`, import.meta.url))
const planOf = (...ids: readonly string[]) => ids.map((id) => ({ id, outOfScope: null }))

const key = 'a-key-for-tests'

interface Ended {
  readonly outcomes?: readonly { readonly check: string; readonly status: string; readonly message: string }[]
  readonly error?: { readonly name: string; readonly message: string }
  readonly shown: readonly string[]
}

interface Ways {
  readonly answer?: RequestListener
  /** What happens to the worker once it has sent a request. */
  readonly trap?: string
  readonly checkTimeoutMs?: number
  readonly checks?: readonly string[]
  /** Whether the run is aborted at its first outcome. */
  readonly abort?: boolean
}

/**
 * Runs checks in a worker thread, in a separate process, against a server that does not respond unless `answer` is
 * given.
 */
async function run({
  answer = () => undefined,
  trap = '',
  checkTimeoutMs = 60_000,
  checks = ['CT-201', 'CT-207'],
  abort = false,
}: Ways): Promise<Ended> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  const target = {
    kind: 'url',
    url: `http://127.0.0.1:${port}`,
    transport: directTransport,
    key,
    server: null,
    capabilities: [],
    capacity: null,
  } as const
  const plugin = { ...unguardedSettings(target, 1), risk: 'read', timeoutMs: 60_000 }
  // A long plan, so that something is left when the run is aborted.
  const plan = abort ? planOf(...Array<string>(500).fill('CT-201')) : planOf(...checks)
  const job = JSON.stringify({ settings: { plugin }, plan, checkTimeoutMs, abort })
  const args = ['--max-old-space-size=64', '--import', moduleAt('worker-trap.mjs'), moduleAt('run-in-worker.mjs'), job]
  const stdout = await new Promise<string>((resolve, reject) => {
    const env = { ...process.env, TRAP: trap }
    execFile(process.execPath, args, { env }, (error, output) => (error === null ? resolve(output) : reject(error)))
  })
  return JSON.parse(stdout) as Ended
}

const unauthenticated: RequestListener = (_request, response) => {
  response.writeHead(401, { 'Content-Type': 'application/json' }).end('{"error":"no"}')
}

test('each outcome is reported as its check ends, in the order of the plan', async () => {
  const { outcomes, shown } = await run({ answer: unauthenticated })
  expect(outcomes?.map(({ check, status }) => [check, status])).toEqual([
    ['CT-201', 'failed'],
    ['CT-207', 'blocked'],
  ])
  expect(shown).toEqual(['CT-201', 'CT-207'])
})

test('a check that does not end is an error, and the next one sends nothing', async () => {
  const { outcomes } = await run({ checkTimeoutMs: 400 })
  expect(outcomes).toEqual([
    { check: 'CT-201', status: 'error', message: 'the check did not end: nothing was sent or received for 0.4 s' },
    { check: 'CT-207', status: 'blocked', message: 'no more requests are sent, since an earlier check did not end' },
  ])
})

test('a check takes as long as it needs while responses arrive', async () => {
  const slow: RequestListener = ({ headers }, response) => {
    const isRight = headers['x-api-key'] === key
    setTimeout(() => response.writeHead(isRight ? 200 : 401).end('{"error":"wrong key"}'), 150)
  }
  // It sends more than 40 requests. The parent ends a thread that is blocked for 5 seconds more than the limit.
  const { outcomes } = await run({ answer: slow, checkTimeoutMs: 400, checks: ['CT-721'] })
  expect(outcomes).toMatchObject([{ check: 'CT-721', status: 'passed' }])
})

test('an aborted run ends after the current check', async () => {
  // A pending timer would keep the process alive for longer than a test may take.
  const { outcomes, error } = await run({ answer: unauthenticated, abort: true, checkTimeoutMs: 600_000 })
  expect(error).toBeUndefined()
  expect(outcomes?.length).toBeLessThan(400)
  expect(outcomes?.[0]).toMatchObject({ check: 'CT-201', status: 'failed' })
})

test.for([
  ['exit', 'with exit code 0 during CT-201'],
  ['error', 'with an error: Error: broken'],
  ['rejection', 'with an error: Error: broken'],
  ['secret', 'Error: the key is [redacted]'],
  ['memory', 'memory'],
])('a worker crash is an error with the reason and the current check: %s', async ([trap = '', reason]) => {
  const { error, outcomes } = await run({ trap })
  expect(outcomes).toBeUndefined()
  expect(error?.name).toBe('WorkerEndedError')
  expect(error?.message).toContain(reason)
  expect(error?.message).toContain('during CT-201.')
})

test('a check that blocks its thread is terminated from outside', async () => {
  const { error, shown } = await run({ trap: 'block', checkTimeoutMs: 2_000 })
  expect(error).toMatchObject({ name: 'WorkerEndedError', message: expect.stringContaining('blocked during CT-201') })
  expect(shown).toEqual(['CT-201'])
})
