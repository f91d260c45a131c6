import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { expect, onTestFinished, test, vi } from 'vitest'
import { withRunOptions } from '../options/run-definitions.ts'
import { configNames, findConfig } from './apply.ts'

function folderWith(...names: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'copytrade-tck-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const name of names) writeFileSync(join(folder, name), '')
  return folder
}

test('a folder without a configuration file has none', () => {
  expect(findConfig(folderWith('other.config.yaml'))).toBeNull()
})

test.for(configNames)('%s is found', (name) => {
  expect(findConfig(folderWith(name))).toBe(name)
})

test('several configuration files are an error', () => {
  expect(() => findConfig(folderWith('tck.config.json', 'tck.config.yaml'))).toThrow(
    'more than one configuration file: tck.config.yaml, tck.config.json',
  )
})

test('an empty TCK_API_KEY counts as unset, whether or not the file names one with the key', async () => {
  vi.stubEnv('TCK_API_KEY', '')
  onTestFinished(() => void vi.unstubAllEnvs())
  const folder = folderWith('key')
  const file = join(folder, 'tck.config.json')
  const given = async (options: object) => {
    writeFileSync(file, JSON.stringify(options))
    const command = withRunOptions(new Command()).action(() => undefined)
    await command.parseAsync(['--config', file], { from: 'user' })
    return command.opts()
  }
  const apiKeyFile = join(folder, 'key')
  writeFileSync(apiKeyFile, 'key-of-the-file')
  for (const options of [{ apiKeyFile }, {}]) {
    const { apiKey, ...others } = await given(options)
    expect(apiKey).toBeUndefined()
    expect(others).toMatchObject(options)
  }
})

test('an empty TCK_DIAGNOSE counts as unset', async () => {
  vi.stubEnv('TCK_DIAGNOSE', '')
  onTestFinished(() => void vi.unstubAllEnvs())
  const command = withRunOptions(new Command().exitOverride()).action(() => undefined)
  await command.parseAsync([], { from: 'user' })
  expect(command.opts().diagnose).toBe(10)
})

test.for([
  ['target', 'http://127.0.0.1', ['--exec', 'node server.js'], undefined],
  ['quiet', true, ['--reporter', 'json'], false],
  ['reporter', 'json', ['--quiet'], 'line'],
  ['verbose', true, ['--reporter', 'dot'], false],
  ['failed', 'report.json', ['--only', 'CT-301'], undefined],
  ['only', 'CT-301', ['--failed', 'report.json'], []],
  ['disposablePlatform', true, ['--max-accounts', '1'], false],
  ['watch', 'src', ['--plan'], undefined],
  ['keepServer', true, ['--watch'], false],
] as const)('`%s: %j` in the file gives way to %j on the command line', async ([name, value, flags, otherwise]) => {
  const file = join(folderWith(), 'tck.config.json')
  writeFileSync(file, JSON.stringify({ [name]: value }))
  const command = withRunOptions(new Command()).action(() => undefined)
  await command.parseAsync(['--config', file], { from: 'user' })
  expect(command.opts()[name]).toEqual(name === 'only' ? [value] : value)
  const other = withRunOptions(new Command()).action(() => undefined)
  await other.parseAsync(['--config', file, ...flags], { from: 'user' })
  expect(other.opts()[name]).toEqual(otherwise)
})
