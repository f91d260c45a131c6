import { lstatSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeFolder, writeTextFile } from './files.ts'

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

test('a file is replaced at the end of a link, and a device is written to', () => {
  const root = mkdtempSync(join(tmpdir(), 'copytrade-tck-test-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  writeFileSync(join(root, 'file'), 'old')
  symlinkSync('file', join(root, 'link'))
  symlinkSync('/dev/null', join(root, 'device'))
  for (const name of ['link', 'device', 'new']) writeTextFile(join(root, name), 'text', [])
  expect(['file', 'new'].map((name) => readFileSync(join(root, name), 'utf8'))).toEqual(['text', 'text'])
  expect(['link', 'device'].map((name) => lstatSync(join(root, name)).isSymbolicLink())).toEqual([true, true])
})

test.each(['report.json', './report.json', 'link'])('a file that was read is not replaced: --out %s', (name) => {
  const root = mkdtempSync(join(tmpdir(), 'copytrade-tck-test-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const report = join(root, 'report.json')
  writeFileSync(report, 'report')
  symlinkSync(report, join(root, 'link'))
  expect(() => writeTextFile(`${root}/${name}`, 'text', [report])).toThrow(/is a file that the command reads\.$/)
  expect(readFileSync(report, 'utf8')).toBe('report')
})
