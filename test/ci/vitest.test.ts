import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const vitest = join(root, 'node_modules/vitest/vitest.mjs')

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

interface Result {
  readonly ancestorTitles: readonly string[]
  readonly title: string
  readonly status: 'passed' | 'failed' | 'skipped'
  readonly failureMessages: readonly string[]
}

/** Runs a suite like its owner would, in a separate process; `text` is the visible output. */
async function runSuite(name: string, more: readonly string[] = []) {
  const out = mkdtempSync(join(tmpdir(), 'copytrade-tck-test-'))
  folders.push(out)
  const file = join(out, 'results.json')
  const reporters = ['--reporter=verbose', '--reporter=json', `--outputFile.json=${file}`]
  const args = [
    vitest,
    'run',
    '--config',
    join(root, 'test/vitest/vitest.config.ts'),
    ...reporters,
    `test/vitest/${name}`,
    ...more,
  ]
  // Without the variables of this Vitest, which must not affect the other one.
  const env = Object.fromEntries(Object.entries(process.env).filter(([variable]) => !variable.startsWith('VITEST')))
  const child = spawn(process.execPath, args, { cwd: root, env: { ...env, NO_COLOR: '1', TEST_OUT: join(out, 'tck') } })
  const chunks: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  const text = Buffer.concat(chunks).toString()
  const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as {
    testResults: readonly { readonly assertionResults: readonly Result[] }[]
  }
  return { results: testResults.flatMap(({ assertionResults }) => assertionResults), text, out, code }
}

test('the fixture gives each test a clean simulator, and rejects unexpected requests', async () => {
  const { results } = await runSuite('fixture.suite.ts')
  const failed = results.filter(({ status }) => status !== 'passed')
  expect(failed.map(({ title }) => title)).toEqual([
    'fails for a method that is not allowed',
    'fails for an error status that was not expected',
    'fails for an error response of the plugin during a delay',
    'fails for an error response that a full disk does not affect',
    'fails for an error response that the journal has dropped',
    'fails for an error response before a reset',
    'fails if there is no journal',
  ])
  const [first, ...others] = failed.flatMap(({ failureMessages }) => failureMessages)
  expect(first).toContain('PUT /api/rules: 405')
  expect(first).toContain('plugin.method')
  expect(others.at(-1)).toContain('failOnUnexpected')
  expect(results).toHaveLength(14)
})

describe("the checks in a user's suite", async () => {
  const { results, text, out } = await runSuite('conformance.suite.ts')
  const of = (suite: string) => results.filter(({ ancestorTitles }) => ancestorTitles.includes(suite))
  const statuses = (suite: string) => [...new Set(of(suite).map(({ status }) => status))].toSorted()
  const last = (suite: string) => of(suite).at(-1)

  test('checks that need more risk are skipped with the reason, and judged ones are green', () => {
    expect(statuses('read alone')).toEqual(['passed', 'skipped'])
    expect(text).toContain('it needs --risk write')
    expect(text).toContain('the kit cannot restart this server')
  })

  test('a good server passes', () => {
    expect(statuses('good')).toEqual(['passed', 'skipped'])
    expect(last('good')?.status).toBe('passed')
    expect(text).toContain('If Vitest is interrupted, `copytrade-tck restore` removes the rules of the kit.')
  })

  test('a wrong server fails with expected, actual, the requirement and a script without the key', () => {
    const failed = of('bad').filter(({ status }) => status === 'failed')
    expect(failed.length).toBeGreaterThan(0)
    const [message = ''] = failed.flatMap(({ failureMessages }) => failureMessages)
    for (const part of ['expected:', 'actual:', 'plugin.delete.', '$TCK_API_KEY', 'The seed was 7.']) {
      expect(message).toContain(part)
    }
    expect(text + JSON.stringify(results)).not.toContain('a-key-that-nobody-may-see')
  })

  test('if nothing was judged, or a requested check was not judged, the last test is red', () => {
    expect(last('silent')).toMatchObject({ status: 'failed' })
    expect(last('silent')?.failureMessages[0]).toContain('No check could judge anything')
    expect(last('complete')).toMatchObject({ status: 'failed' })
    expect(last('limited')?.failureMessages[0]).toMatch(/Could not be judged:\n {2}CT-821 /)
    expect(last('good')).toMatchObject({ status: 'passed' })
  })

  test('a server that cannot be reached is not green', () => {
    expect(statuses('gone')).not.toContain('passed')
    expect(text).toContain('The simulator has no open port')
  })

  test('a server that no longer responds at the end is not green', () => {
    for (const suite of ['stopped', 'killed']) {
      expect(statuses(suite), suite).toEqual(['passed'])
      // Vitest shows equal errors of two suites together or one by one.
      expect(text).toMatch(
        new RegExp(`> ${suite}\\n(.*> killed\\n)?LeftBehindError: .the target did not respond at the end`),
      )
    }
  })

  test('a server that the kit starts is judged over its restarts', () => {
    expect(of('started').map(({ status }) => status)).toEqual(of('started').map(() => 'passed'))
    expect(of('started').length).toBeGreaterThan(2)
  })

  test('each ledger is closed: nothing is left to restore', () => {
    const ledgers = readdirSync(join(out, 'tck')).filter((name) => name.startsWith('ledger'))
    expect(ledgers.length).toBeGreaterThan(0)
    for (const name of ledgers) expect(readFileSync(join(out, 'tck', name), 'utf8')).toContain('"closed"')
  })
})

test('a single check that could not be judged is red, although the last test does not run', async () => {
  const { code, text } = await runSuite('conformance.suite.ts', ['-t', 'limited CT-821'])
  expect(text).toMatch(/Could not be judged:\n {2}CT-821 /)
  expect(code).toBe(1)
  expect(await runSuite('conformance.suite.ts', ['-t', 'read alone CT-711'])).toMatchObject({ code: 0 })
})
