import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
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
