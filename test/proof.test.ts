import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

function linesOf(command: string, ...args: readonly string[]): readonly string[] {
  return execFileSync(command, args, { cwd: root, encoding: 'utf8' }).trim().split('\n')
}

const tracked = linesOf('git', 'ls-files', '--cached', '--others', '--exclude-standard')
const sourcesOfTests = tracked.filter((path) => /\.ts$/.test(path) && /^(test|fixtures)\/|\.test\.ts$/.test(path))

test('each test file is run by `npm test` or by `npm run test:ci`', () => {
  const scripts = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts as Record<string, string>
  const projects = [scripts.test, scripts['test:ci']].flatMap((script = '') => script.match(/--project \w+/g) ?? [])
  const args = ['list', '--filesOnly', '--json', ...projects.flatMap((option) => option.split(' '))]
  const listed = JSON.parse(linesOf(process.execPath, 'node_modules/vitest/vitest.mjs', ...args).join('\n')) as {
    readonly file: string
  }[]
  const run = listed.map(({ file }) => relative(root, file))
  expect(run.toSorted()).toEqual(tracked.filter((path) => path.endsWith('.test.ts')).toSorted())
})

/** Variables for the location of tools and results, and those that the kit gives to the servers that it starts. */
const others = new Set([
  'TCK_CHROMIUM',
  'TCK_PARAMETERS',
  'TCK_PORT',
  'TCK_RECORD',
  'TCK_SCREENSHOTS',
  'TCK_TEST_IMAGE',
])

test('only `fixtures/test-size.ts` decides how much a test does', () => {
  const read = sourcesOfTests
    .filter((path) => path !== 'fixtures/test-size.ts' && !path.endsWith('.suite.ts'))
    .flatMap((path) => {
      const names = readFileSync(join(root, path), 'utf8').matchAll(/process\.env\.(TCK_\w+)/g)
      return [...names].map(([, name = '']) => ({ path, name }))
    })
  expect(read.filter(({ name }) => !others.has(name))).toEqual([])
})

test('the proof of a release includes every test with a long form, the mutation of the checks and the attack', () => {
  const withLongForm = sourcesOfTests.filter(
    (path) =>
      path.endsWith('.test.ts') &&
      path !== 'test/proof.test.ts' &&
      /\b(testSize\(|isProof\b|someOf\(|chosenChecks\b)/.test(readFileSync(join(root, path), 'utf8')),
  )
  const parts = linesOf(process.execPath, 'scripts/proof.js', '--list')
  expect(parts).toEqual(expect.arrayContaining([...withLongForm, 'mutation', 'attack']))
  expect(withLongForm).toContain('test/laws/laws.test.ts')
})
