import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { emptyFolder, start } from './command.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
export const targetKey = 'a-key-of-a-target'

export interface Result {
  readonly title: string
  readonly status: 'passed' | 'failed' | 'skipped'
  readonly failureMessages: readonly string[]
}

/** Runs `npx vitest run --project conformance` with these variables. */
export async function conformance(env: Readonly<Record<string, string>>, ...args: readonly string[]) {
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

/** The URL of a simulator in a separate process. */
export async function simulator(...args: readonly string[]): Promise<string> {
  const running = start([
    'simulate',
    '--port',
    '0',
    '--api-key',
    targetKey,
    '--param',
    'Copy_1=1001>2001,mult,1,same',
    ...args,
  ])
  const [url] = await running.printed(/http:\/\/127\.0\.0\.1:\d+/)
  return url
}

export const isCheck = ({ title }: Result) => /^CT-\d+ /.test(title)
