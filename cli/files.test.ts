import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeFolder } from './files.ts'

test('a folder is created with its parents, and may already exist', async () => {
  const root = mkdtempSync(join(tmpdir(), 'copytrade-tck-test-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const folder = join(root, 'a/b')
  await Promise.all([makeFolder(folder), makeFolder(folder)])
  await makeFolder(folder)
  expect(statSync(folder).isDirectory()).toBe(true)
  writeFileSync(join(root, 'file'), '')
  for (const path of ['file', 'file/below']) {
    await expect(makeFolder(join(root, path))).rejects.toThrow(/EEXIST|ENOTDIR/)
  }
})

test.skipIf(process.platform !== 'linux')('it fails at once if no folder can be created', async () => {
  await expect(makeFolder('/proc/x/y')).rejects.toThrow('ENOENT')
})
