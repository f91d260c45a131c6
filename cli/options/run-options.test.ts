import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runningServerTransport } from '../../suites/client/transport.ts'
import { UsageError } from '../command-error.ts'
import type { RunFlags } from './run-definitions.ts'
import { resolveRunOptions } from './run-options.ts'

const logins = { from: 900_000_000, to: 900_000_999 }
const target = 'http://127.0.0.1:8443/api/'

/** Resolves the default flags with some replaced. */
function resolve(flags: Partial<RunFlags> = {}) {
  return resolveRunOptions(flags, {})
}

function keyFile(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'copytrade-tck-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'key')
  writeFileSync(path, text)
  return path
}

function errorOf(flags: Partial<RunFlags>): UsageError {
  try {
    resolve(flags)
  } catch (error) {
    if (error instanceof UsageError) return error
    throw error
  }
  throw new Error('the flags were accepted')
}

test('without a target the simulator is judged with every risk', () => {
  expect(resolve()).toMatchObject({
    target: { kind: 'simulator', key: null },
    risk: 'exclusive',
    capacity: null,
    maxFill: 2000,
    only: [],
    skip: [],
    strict: false,
    complete: false,
    out: 'tck-report',
    timeoutMs: 10_000,
    maxRequestsPerSecond: null,
    logins,
  })
})

test('a running server is only read by default', () => {
  const { target: choice, risk } = resolve({ target, apiKey: 'k' })
  expect(choice).toEqual({
    kind: 'url',
    url: 'http://127.0.0.1:8443',
    key: 'k',
    keySource: '--api-key',
    transport: runningServerTransport,
  })
  expect(risk).toBe('read')
  expect(resolve({ target, apiKey: 'k', risk: 'write' }).risk).toBe('write')
})

test('a server that the kit starts is judged with every risk by default', () => {
  expect(resolve({ exec: 'node server.js' })).toMatchObject({
    target: { kind: 'exec', command: 'node server.js', key: null },
    risk: 'exclusive',
  })
  expect(resolve({ container: 'server:1' })).toMatchObject({
    target: { kind: 'container', image: 'server:1', key: null },
    risk: 'exclusive',
  })
  expect(resolve({ exec: 'node server.js', risk: 'read', apiKey: 'k' })).toMatchObject({
    target: { key: 'k' },
    risk: 'read',
  })
})

test('given options are kept', () => {
  expect(
    resolve({
      capacity: 5,
      timeout: 7,
      maxRps: 3,
      seed: 0,
      only: ['a'],
      skip: ['b'],
      strict: true,
      complete: true,
      thorough: 9,
    }),
  ).toMatchObject({
    capacity: 5,
    timeoutMs: 7,
    maxRequestsPerSecond: 3,
    seed: 0,
    thorough: 9,
    only: ['a'],
    skip: ['b'],
    strict: true,
    complete: true,
  })
})

test('without a seed every run chooses a random one, which a later run can reuse', () => {
  const seeds = Array.from({ length: 20 }, () => resolve().seed)
  expect(new Set(seeds).size).toBeGreaterThan(1)
  expect(seeds.every((seed) => Number.isInteger(seed) && seed >= 0 && seed < 2 ** 31)).toBe(true)
})

test('the key of a file overrides others, and its trailing line break is removed', () => {
  expect(resolve({ apiKeyFile: keyFile('from-file\r\n'), apiKey: 'from-environment' })).toMatchObject({
    target: { key: 'from-file' },
  })
})

test.for([
  [{ target, exec: 'x', apiKey: 'k' }, '`--target` and `--exec` exclude each other.'],
  [{ exec: 'x', container: 'y' }, '`--exec` and `--container` exclude each other.'],
  [{ target }, '`--target` requires an API key.'],
  [{ target: 'no url', apiKey: 'k' }, '`--target` is not a usable URL'],
  [{ target: 'ftp://a', apiKey: 'k' }, 'use http'],
  [{ target, apiKey: 'k', insecure: true }, '`--insecure` requires an https URL.'],
  [{ target, apiKey: '' }, 'The API key is empty'],
  [{ target, apiKey: 'two words' }, 'not allowed in an HTTP header'],
  [{ target, apiKey: 'schlüssel' }, 'not allowed in an HTTP header'],
  [{ apiKey: 'two\r\nlines: x' }, 'not allowed in an HTTP header'],
  [{ apiKeyFile: '/no/such/file' }, '`--api-key-file` cannot be read'],
] as const)('%o is rejected: %s', ([flags, message]) => {
  const error = errorOf(flags)
  expect(error.message).toContain(message)
  expect(error.hint).not.toBe('')
  expect(error.exitCode).toBe(2)
})

test('an empty key file is rejected, and messages never quote a key', () => {
  expect(errorOf({ apiKeyFile: keyFile('\n') }).message).toContain('The file of `--api-key-file` is empty')
  const { message, hint } = errorOf({ apiKeyFile: keyFile('secret with blanks') })
  expect(message + hint).not.toContain('secret')
})
