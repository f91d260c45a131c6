import { Command, type Option } from 'commander'
import { expect, test } from 'vitest'
import { UsageError } from '../command-error.ts'
import { runOptions } from '../options/run-definitions.ts'
import { resolveConfig } from './resolve.ts'

const options = runOptions()

function resolve(key: string, value: unknown, among: readonly Option[] = options): unknown {
  return resolveConfig('f', [{ key, value, line: 3 }], among).get(key)
}

function errorFor(key: string, value: unknown): string {
  try {
    resolve(key, value)
  } catch (error) {
    if (error instanceof UsageError) return error.message
    throw error
  }
  throw new Error('nothing was refused')
}

test.for([
  ['maxFill', '5', 5],
  ['maxFill', 5, 5],
  ['risk', 'write', 'write'],
  ['logins', '10-30', { from: 10, to: 30 }],
  ['strict', true, true],
  ['strict', false, false],
  ['only', 'a.*', ['a.*']],
  ['only', ['a', 'b'], ['a', 'b']],
  ['only', [], []],
  ['out', 'folder', 'folder'],
] as const)('%s: %j is parsed like the flag', ([key, value, expected]) => {
  expect(resolve(key, value)).toEqual(expected)
})

test.for([
  ['maxFil', '5', 'f:3: unknown member `maxFil`. Did you mean `maxFill`?'],
  ['max-fill', '5', 'f:3: unknown member `max-fill`. Did you mean `maxFill`?'],
  ['api_key', 'x', 'f:3: unknown member `api_key`. Did you mean `apiKeyFile`?'],
  ['maxFill', 'many', 'f:3: `maxFill`: Give a whole number of at least 0.'],
  ['maxFill', null, 'f:3: `maxFill`: Give a string or a number, as for `--max-fill <n>`.'],
  ['maxFill', true, 'f:3: `maxFill`: Give a string or a number'],
  ['maxFill', ['5'], 'f:3: `maxFill`: Give a string or a number'],
  ['risk', 'high', 'f:3: `risk`: Allowed choices are read, write, exclusive.'],
  ['yes', true, 'f:3: `yes` is not allowed in this file'],
  ['strict', 'yes', 'f:3: `strict`: Give `true` or `false`.'],
  ['only', { a: 1 }, 'f:3: `only`: Give a string or a number, or a list of them'],
  ['only', [['a']], 'f:3: `only`: Give a string or a number, or a list of them'],
] as const)('%s: %j is rejected: %s', ([key, value, says]) => {
  expect(errorFor(key, value)).toContain(says)
})

test('a key in the file is rejected with what to do instead, and not repeated', () => {
  const message = errorFor('apiKey', 'sesame')
  expect(message).toContain('TCK_API_KEY')
  expect(message).toContain('apiKeyFile')
  expect(message).not.toContain('sesame')
})

test('all problems are reported at once', () => {
  const entries = [
    { key: 'maxFil', value: '5', line: 1 },
    { key: 'strict', value: true, line: 2 },
    { key: 'risk', value: 'high', line: null },
  ]
  expect(() => resolveConfig('f', entries, options)).toThrow(
    'f:1: unknown member `maxFil`. Did you mean `maxFill`?\nf: `risk`: Allowed choices',
  )
})

test.for([
  [{ quiet: true, reporter: 'json' }, 'f:2: `quiet` and `reporter` exclude each other.'],
  [{ disposablePlatform: true, maxAccounts: 3 }, 'f:2: `disposablePlatform` and `maxAccounts` exclude each other.'],
  [{ watch: 'src', plan: 'json' }, 'f:2: `watch` and `plan` exclude each other.'],
] as const)('%j is rejected as on the command line', ([given, says]) => {
  const entries = Object.entries(given).map(([key, value], place) => ({ key, value, line: place + 1 }))
  expect(() => resolveConfig('f', entries, options)).toThrow(says)
})

test('an option that is off excludes no other one', () => {
  const given = Object.entries({ quiet: false, verbose: true, watch: true, plan: false, keepServer: false })
  const entries = given.map(([key, value]) => ({ key, value, line: null }))
  expect(() => resolveConfig('f', entries, options)).not.toThrow()
})

test('options of every kind are accepted, and only those that the command has', () => {
  const other = new Command().option('--colour [name]', 'perhaps with a name').option('--no-report', 'without').options
  expect(resolve('colour', true, other)).toBe(true)
  expect(resolve('colour', 'red', other)).toBe('red')
  expect(resolve('report', false, other)).toBe(false)
})
