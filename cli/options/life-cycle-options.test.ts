import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { UsageError } from '../command-error.ts'
import { describeOperators, requireTerminal, resolveLifeCycle } from './life-cycle-options.ts'
import type { RunFlags } from './run-definitions.ts'

const key = 'the-live-key'

function fileWith(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'copytrade-tck-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'parameters.json')
  writeFileSync(file, text)
  return file
}

const errorTextOf = (flags: Partial<RunFlags>) => {
  try {
    resolveLifeCycle(flags, key)
  } catch (error) {
    if (error instanceof UsageError) return `${error.message} ${error.hint}`
    throw error
  }
  return null
}

test('without hooks and without `--manual` the life cycle has no driver', () => {
  expect(resolveLifeCycle({ hookTimeout: 5, manual: false }, key)).toBeNull()
})

test('hooks, `--manual`, parameters and limit are resolved', () => {
  const parameters = fileWith(JSON.stringify({ API_Key: key, Copy_1: '1>2,mult,1,same' }))
  const flags = { hookRestart: 'a', hookSetParameters: 'b', hookTimeout: 7, parameters, manual: true }
  const lifeCycle = resolveLifeCycle(flags, key)
  expect(lifeCycle).toEqual({
    hooks: { restart: 'a', 'set-parameters': 'b' },
    manual: true,
    parameters: { API_Key: key, Copy_1: '1>2,mult,1,same' },
    hookLimitMs: 7,
  })
  expect(lifeCycle && describeOperators(lifeCycle)).toBe('the hooks restart, set-parameters and a person')
})

test('hooks for parameters require `--current-parameters`', () => {
  expect(errorTextOf({ hookSetParameters: 'x' })).toMatch(
    /requires `--parameters <file>`.*restores the current parameters after the run/,
  )
})

test.for([
  ['{', /not valid JSON/],
  ['[]', /must hold a JSON object of strings/],
  ['{"API_Key":1}', /must hold a JSON object of strings/],
  ['{"API_Key":"another"}', /differs from the key of this run/],
] as const)('an invalid file of parameters is rejected without showing its content: %s', ([text, message]) => {
  expect(errorTextOf({ hookSetParameters: 'x', parameters: fileWith(text) })).toMatch(message)
})

test('a missing file of parameters is named', () => {
  expect(errorTextOf({ manual: true, parameters: '/nowhere/p.json' })).toMatch(/ENOENT/)
})

test('`--manual` requires a terminal', () => {
  expect(() => requireTerminal({ manual: true })).toThrow(UsageError)
  expect(() => requireTerminal({ manual: false })).not.toThrow()
})
