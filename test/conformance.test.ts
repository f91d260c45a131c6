import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { emptyFolder, start } from './command.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const apiKey = 'a-key-of-a-target'

interface Result {
  readonly title: string
  readonly status: 'passed' | 'failed' | 'skipped'
  readonly failureMessages: readonly string[]
}

/** Runs `npx vitest run --project conformance` with these variables. */
async function conformance(env: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const file = join(emptyFolder(), 'results.json')
  const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(VITEST|TCK_)/.test(name)))
  const child = spawn(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--project',
      'conformance',
      '--reporter=json',
      `--outputFile=${file}`,
      ...args,
    ],
    { cwd: root, env: { ...own, ...env }, stdio: 'ignore' },
  )
  const code = await new Promise((resolve) => child.once('close', resolve))
  const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly testResults: readonly { readonly message: string; readonly assertionResults: readonly Result[] }[]
  }
  const results = testResults.flatMap(({ assertionResults }) => assertionResults)
  return { code, results, message: testResults.map(({ message }) => message).join('\n') }
}

/** The URL of a simulator in a process of its own. */
async function simulator(...args: readonly string[]): Promise<string> {
  const running = start([
    'simulate',
    '--port',
    '0',
    '--api-key',
    apiKey,
    '--param',
    'Copy_1=1001>2001,mult,1,same',
    ...args,
  ])
  const [url] = await running.printed(/http:\/\/127\.0\.0\.1:\d+/)
  return url
}

const isCheck = ({ title }: Result) => /^CT-\d+ /.test(title)

test('without a target each check of the embedded simulators is a test', async () => {
  const { code, results } = await conformance({}, '-t', 'GET /api/status|GET /v1/')
  const run = results.filter(({ status }) => status === 'passed')
  expect(code).toBe(0)
  expect(run.filter(({ title }) => title.startsWith('CT-')).length).toBeGreaterThan(5)
  expect(run.filter(({ title }) => title.startsWith('CP-')).length).toBeGreaterThan(5)
})

test('a target is only read unless TCK_RISK allows more, and a right one passes', async () => {
  const { code, results } = await conformance({ TCK_TARGET: await simulator(), TCK_API_KEY: apiKey })
  expect(code).toBe(0)
  const checks = results.filter(isCheck)
  expect(new Set(checks.map(({ status }) => status))).toEqual(new Set(['passed', 'skipped']))
  expect(checks.find(({ title }) => title.startsWith('CT-471 '))?.status).toBe('skipped')
})

test('a wrong target fails the tests of the checks that it breaks, with the message of the check', async () => {
  const url = await simulator('--defect', 'delete.moves-last-into-hole')
  const { code, results } = await conformance(
    { TCK_TARGET: url, TCK_API_KEY: apiKey, TCK_RISK: 'write' },
    '-t',
    'DELETE',
  )
  expect(code).toBe(1)
  const failed = results.filter(({ status }) => status === 'failed')
  expect(failed.length).toBeGreaterThan(0)
  expect(failed.every(isCheck)).toBe(true)
  for (const { failureMessages } of failed) expect(failureMessages.join('\n')).toContain('expected: ')
  expect(failed.flatMap(({ failureMessages }) => failureMessages).join('\n')).toContain('plugin.delete.')
  const { rules } = (await (await fetch(`${url}/api/rules`, { headers: { 'X-API-Key': apiKey } })).json()) as {
    readonly rules: readonly unknown[]
  }
  expect(rules).toHaveLength(1)
})

test.for([
  [{ TCK_TARGET: 'http://127.0.0.1:1' }, 'Set `TCK_API_KEY`'],
  [{ TCK_TARGET: 'http://127.0.0.1:1', TCK_API_KEY: 'k', TCK_RISK: 'all' }, 'Use `read`, `write` or `exclusive`'],
] as const)('incomplete variables fail with what to set: %o', async ([env, hint]) => {
  const { code, message } = await conformance(env)
  expect(code).toBe(1)
  expect(message).toContain(hint)
})
