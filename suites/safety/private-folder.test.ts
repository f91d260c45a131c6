import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createPrivateFolder, removePrivateFolders } from './private-folder.ts'

function reportFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'copytrade-tck-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('only this user can open the folder, and nothing of an earlier one is in it', () => {
  const report = reportFolder()
  const elsewhere = reportFolder()
  symlinkSync(elsewhere, join(report, `ledger.jsonl.${process.pid}.private`))
  for (let count = 0; count < 2; count += 1) {
    const folder = createPrivateFolder(join(report, 'ledger.jsonl'))
    writeFileSync(join(folder, `file ${count}`), '')
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(existsSync(join(folder, 'file 0'))).toBe(count === 0)
  }
  expect(existsSync(join(elsewhere, 'file 0'))).toBe(false)
})

test('the folders of ended processes are removed, and those of a ledger whose run has ended', () => {
  const report = reportFolder()
  const ended = 2 ** 22 + 1
  const names = [process.pid, process.ppid, ended].map((pid) => `ledger-a.jsonl.${pid}.private`)
  const others = ['ledger-a.jsonl', `project.${ended}.private`]
  for (const name of [...names, ...others]) mkdirSync(join(report, name))
  const left = () => [...names, ...others].map((name) => existsSync(join(report, name)))
  removePrivateFolders(report)
  expect(left()).toEqual([false, true, false, true, true])
  removePrivateFolders(report, join('elsewhere', 'ledger-b.jsonl'))
  expect(left()).toEqual([false, true, false, true, true])
  removePrivateFolders(report, join('elsewhere', 'ledger-a.jsonl'))
  expect(left()).toEqual([false, false, false, true, true])
})

test('the folder of a ledger with another name is removed with it, and the report folder may be missing', () => {
  const report = join(reportFolder(), 'removed')
  const folder = createPrivateFolder(join(report, 'kept.jsonl'))
  removePrivateFolders(report, 'kept.jsonl')
  expect(existsSync(folder)).toBe(false)
})
