import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { UsageError } from '../command-error.ts'
import { describeOperators, type LifeCycleFlags, requireTerminal, resolveLifeCycle } from './life-cycle-options.ts'

const key = 'the-live-key'

function fileWith(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'copytrade-tck-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'parameters.json')
  writeFileSync(file, text)
  return file
}

const refusalOf = (flags: LifeCycleFlags) => {
  try {
    resolveLifeCycle(flags, key)
  } catch (error) {
    if (error instanceof UsageError) return `${error.message} ${error.hint}`
    throw error
  }
  return null
}

test('without a hook and without a person nobody drives the life cycle', () => {
  expect(resolveLifeCycle({ hookTimeout: 5, manual: false }, key)).toBeNull()
})

test('hooks, person, parameters and limit are resolved once', () => {
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

test('parameters that could not be put back are not changed in the first place', () => {
  expect(refusalOf({ hookSetParameters: 'x' })).toMatch(/needs --parameters <file>.*put back after the run/)
})

test.for([
  ['{', /it is no JSON/],
  ['[]', /something else than texts/],
  ['{"API_Key":1}', /something else than texts/],
  ['{"API_Key":"another"}', /not the key that this run uses/],
] as const)('a file of parameters that is no good is refused, without showing what is in it: %s', ([text, message]) => {
  expect(refusalOf({ hookSetParameters: 'x', parameters: fileWith(text) })).toMatch(message)
})

test('a file of parameters that is not there is named', () => {
  expect(refusalOf({ manual: true, parameters: '/nowhere/p.json' })).toMatch(/ENOENT/)
})

test('a person cannot be asked where there is no terminal', () => {
  expect(() => requireTerminal({ manual: true })).toThrow(UsageError)
  expect(() => requireTerminal({ manual: false })).not.toThrow()
})
