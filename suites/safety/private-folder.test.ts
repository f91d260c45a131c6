import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createPrivateFolder, removePrivateFolder } from './private-folder.ts'

function reportFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'copytrade-tck-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('the name is announced before the folder exists, and only this user can open it', () => {
  const report = reportFolder()
  mkdirSync(join(report, 'private'))
  chmodSync(join(report, 'private'), 0o755)
  const announced: boolean[] = []
  const folder = createPrivateFolder(report, (name) => announced.push(existsSync(join(report, 'private', name))))
  expect(announced).toEqual([false])
  expect([folder, dirname(folder)].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o700])
})

test('the parent folder is removed with its last folder', () => {
  const report = reportFolder()
  const [one, other] = [createPrivateFolder(report, () => undefined), createPrivateFolder(report, () => undefined)]
  removePrivateFolder(report, basename(one))
  expect([existsSync(one), existsSync(other)]).toEqual([false, true])
  removePrivateFolder(report, basename(other))
  expect(existsSync(join(report, 'private'))).toBe(false)
})

test.for(['..', '.', '', '../reports', 'hook-/..', 'hook-0a/../..'])('no name leads outside: %j', (name) => {
  const report = reportFolder()
  const folder = createPrivateFolder(report, () => undefined)
  removePrivateFolder(report, name)
  expect(existsSync(folder)).toBe(true)
})
