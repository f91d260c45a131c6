import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runningServerTransport } from '../../suites/client/transport.ts'
import { UsageError } from '../command-error.ts'
import { spell } from './flags.ts'
import { resolvePlatform } from './platform-options.ts'
import type { RunFlags } from './run-definitions.ts'

const url = 'https://api.example.test/v1/'
const env = { TCK_PLATFORM_KEY: 'bk_test_1' }

function secretFile(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'copytrade-tck-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'secret'), text)
  return join(folder, 'secret')
}

function errorOf(flags: Partial<RunFlags>, given: NodeJS.ProcessEnv = env): UsageError {
  try {
    resolvePlatform(flags, given)
  } catch (error) {
    if (error instanceof UsageError) return error
    throw error
  }
  throw new Error('the flags were accepted')
}

test('without --platform-url no platform is judged, whatever the environment holds', () => {
  expect(resolvePlatform({}, env)).toBeNull()
})

test('by default no account may be created, nothing is signed, and the kit searches for the list', () => {
  expect(resolvePlatform({ platformUrl: url }, env)).toEqual({
    kind: 'url',
    url: 'https://api.example.test',
    transport: runningServerTransport,
    key: 'bk_test_1',
    secret: null,
    vendor: 'Platform',
    listPaths: ['/v1/trading-accounts', '/v1/trading-accounts/list', '/v1/accounts'],
    group: null,
    accountTerms: {},
    maxAccounts: 3,
    disposable: false,
  })
})

test('an empty secret is none', () => {
  expect(resolvePlatform({ platformUrl: url }, { ...env, TCK_PLATFORM_SECRET: '' })).toMatchObject({ secret: null })
})

test('files override the environment, and their trailing line break is removed', () => {
  const platformKeyFile = secretFile('bk_test_2\n')
  const platformSecretFile = secretFile('the secret\r\n')
  const given = { ...env, TCK_PLATFORM_SECRET: 'another' }
  expect(resolvePlatform({ platformUrl: url, platformKeyFile, platformSecretFile }, given)).toMatchObject({
    key: 'bk_test_2',
    secret: 'the secret',
  })
})

test.for([
  [{ platformUrl: url }, {}, '`--platform-url` requires an API key.'],
  [{ platformUrl: url }, { TCK_PLATFORM_KEY: '' }, '`--platform-url` requires an API key.'],
  [{ platformUrl: url }, { TCK_PLATFORM_KEY: 'with space' }, 'characters that are not allowed in an HTTP header'],
  [{ platformUrl: 'ftp://example.test' }, env, 'use http or https'],
  [{ platformUrl: 'https://me:secret@example.test' }, env, 'a user and a password'],
  [{ platformUrl: url, platformSecretFile: '/no/such/file' }, env, '`--platform-secret-file` cannot be read'],
  [{ group: 'demo' }, env, '`--group` requires `--platform-url`.'],
  [{ signatureVendor: 'Example' }, env, '`--signature-vendor` requires `--platform-url`.'],
  [{ maxAccounts: 2 }, env, '`--max-accounts` requires `--platform-url`.'],
  [{ disposablePlatform: true }, env, '`--disposable-platform` requires `--platform-url`.'],
  [{ platformUrl: url, disposablePlatform: true }, env, '`--disposable-platform` requires `--group`.'],
] as const)('%j with %j is rejected: %s', ([flags, given, message]) => {
  const error = errorOf(flags, given)
  expect(error.message).toContain(message)
  expect(error.exitCode).toBe(2)
  expect(`${error.message}${error.hint}`).not.toContain('with space')
})

test.for(['platformKeyFile', 'platformSecretFile'] as const)('an empty file of %s is rejected', (name) => {
  const error = errorOf({ platformUrl: url, [name]: secretFile('\n') }, env)
  expect(error.message).toContain(`The file of \`${spell(name)}\` is empty`)
})
