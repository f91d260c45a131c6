import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { UsageError } from '../command-error.ts'
import { collectParameter, type SimulateFlags } from './command.ts'
import { resolveJournal, resolveParameters } from './simulate.ts'

const resolve = (flags: Partial<SimulateFlags> = {}, environment = {}) =>
  resolveParameters({ param: {}, ...flags }, environment)

function parametersFile(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'copytrade-tck-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'parameters.json')
  writeFileSync(path, text)
  return path
}

function errorOf(action: () => unknown): UsageError {
  try {
    action()
  } catch (error) {
    if (error instanceof UsageError) return error
    throw error
  }
  throw new Error('it was accepted')
}

test('only the first = separates a name from its value, which may be empty', () => {
  expect(collectParameter('Copy_1=1001>2001,mult,1.0,same', {})).toEqual({ Copy_1: '1001>2001,mult,1.0,same' })
  expect(collectParameter('API_Key=a=b==', {})).toEqual({ API_Key: 'a=b==' })
  expect(collectParameter('API_Key=', {})).toEqual({ API_Key: '' })
})

test('parameters are collected, and the last one with the same name wins', () => {
  const before = { A: '1', B: '2' }
  expect(collectParameter('B=3', before)).toEqual({ A: '1', B: '3' })
  expect(before).toEqual({ A: '1', B: '2' })
})

test.for(['', '=value', 'API_Key:secret'])('%j is not a parameter, and is not repeated', (text) => {
  const error = errorOf(() => collectParameter(text, {}))
  expect(error.message).toBe('`--param` needs a name, an equals sign and a value.')
  expect(error.hint).toContain('Copy_1=')
})

test('without options there are no parameters and no key', () => {
  expect(resolve()).toEqual({})
})

test('--api-key overrides --param, and --param overrides the file', () => {
  const params = parametersFile('{"API_Key":"file","Copy_1":"file","Copy_2":"file"}')
  expect(resolve({ params })).toEqual({ API_Key: 'file', Copy_1: 'file', Copy_2: 'file' })
  const param = { API_Key: 'param', Copy_1: 'param' }
  expect(resolve({ params, param })).toEqual({ API_Key: 'param', Copy_1: 'param', Copy_2: 'file' })
  expect(resolve({ params, param, apiKey: '' })).toMatchObject({ API_Key: '', Copy_1: 'param' })
})

test('parameters are read from variables of the same name, and options override them', () => {
  const environment = { API_Key: 'k', API_Port: '1', Copy_0: 'a', Copy_12: 'b', Copy_x: 'c', API_KEY: 'd', PATH: '/' }
  expect(resolve({}, environment)).toEqual({ API_Key: 'k', API_Port: '1', Copy_0: 'a', Copy_12: 'b' })
  expect(resolve({ param: { Copy_0: 'p' }, apiKey: 'f' }, environment)).toMatchObject({ API_Key: 'f', Copy_0: 'p' })
})

test('with a file of parameters the environment is ignored', () => {
  expect(resolve({ params: parametersFile('{"Copy_1":"file"}') }, { API_Key: 'k', Copy_2: 'b' })).toEqual({
    Copy_1: 'file',
  })
})

test.for([
  ['{', 'the file is not valid JSON'],
  ['', 'the file is not valid JSON'],
  ['[]', 'must hold a JSON object'],
  ['null', 'must hold a JSON object'],
  ['"a"', 'must hold a JSON object'],
  ['{"API_Key":"k","API_Port":8443}', '`API_Port` must be a string'],
  ['{"API_Key":null}', '`API_Key` must be a string'],
] as const)('a file with %s is rejected: %s', ([text, message]) => {
  const params = parametersFile(text)
  const error = errorOf(() => resolve({ params }))
  expect(error.message).toContain(message)
  expect(error.exitCode).toBe(2)
})

test('the error for a missing file says why', () => {
  expect(errorOf(() => resolve({ params: '/no/such/file' })).message).toContain('ENOENT')
})

test('requests are stored only if an option needs them', () => {
  const flags = { host: '127.0.0.1', param: {} }
  expect(resolveJournal(flags)).toBe(0)
  expect(resolveJournal({ ...flags, controlPort: 0 })).toBe(10_000)
  expect(resolveJournal({ ...flags, clientReport: 'c.html' })).toBe(10_000)
  expect(resolveJournal({ ...flags, controlPort: 0, journal: 7 })).toBe(7)
})
