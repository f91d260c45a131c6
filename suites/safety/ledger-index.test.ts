import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { defaultLogins } from '../session/logins.ts'
import { openLedger } from './ledger.ts'
import { noteLedger, unfinishedRuns } from './ledger-index.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tck-index-'))
  vi.stubEnv('XDG_STATE_HOME', folder)
  return () => {
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true, force: true })
  }
})

/** The ledger of a run that has sent no write yet. */
function begun(name: string) {
  const ledger = openLedger(join(folder, name), (text) => text)
  onTestFinished(() => ledger.close())
  const opening = { schema: 'copytrade-tck/ledger@1', startedAt: '', before: [], logins: defaultLogins } as const
  ledger.append({ event: 'open', target: `http://127.0.0.1/${name}`, ...opening })
  return ledger
}

const notes = () => join(folder, 'copytrade-tck', 'ledgers')

test('a run that another command found before its first write is found after it', () => {
  const ledger = begun('a.jsonl')
  noteLedger(ledger.file)
  expect(unfinishedRuns()).toMatchObject([{ file: ledger.file, pid: process.pid, run: { unfinished: false } }])
  ledger.append({ event: 'write', request: 'POST /api/rules', body: null, logins: [] })
  expect(unfinishedRuns()).toMatchObject([{ file: ledger.file, run: { unfinished: true } }])
})

test('a run is no longer found after its clean-up, and its note goes with its process', () => {
  const ledger = begun('a.jsonl')
  noteLedger(ledger.file)
  ledger.append({ event: 'write', request: 'POST /api/rules', body: null, logins: [] })
  ledger.append({ event: 'closed' })
  expect(unfinishedRuns()).toEqual([])
  const { pid } = spawnSync(process.execPath, ['-e', ''])
  writeFileSync(join(notes(), 'a.jsonl'), `${pid} ${ledger.file}`)
  expect(unfinishedRuns()).toEqual([])
  expect(readdirSync(notes())).toEqual([])
})

test('a run that ended before its first write is not found', () => {
  const ledger = begun('a.jsonl')
  noteLedger(ledger.file)
  const { pid } = spawnSync(process.execPath, ['-e', ''])
  writeFileSync(join(notes(), 'a.jsonl'), `${pid} ${ledger.file}`)
  expect(unfinishedRuns()).toEqual([])
  expect(readdirSync(notes())).toEqual([])
})

test('of two processes that begin a run of the same target, only the first may register it', () => {
  const ledger = begun('a.jsonl')
  mkdirSync(notes(), { recursive: true })
  const other = spawn('sleep', ['60'])
  onTestFinished(() => void other.kill())
  const byOther = (path: string) => writeFileSync(join(notes(), 'a.jsonl'), `${other.pid} ${path}`)
  // The other process has not opened its ledger yet.
  byOther(join(folder, 'elsewhere', 'a.jsonl'))
  expect(noteLedger(ledger.file)).toBe(other.pid)
  byOther(ledger.file)
  expect(noteLedger(ledger.file)).toBe(other.pid)
  ledger.append({ event: 'closed' })
  expect(noteLedger(ledger.file)).toBeNull()
})

test('a process may register a target again, and one that an ended process had registered', () => {
  const file = join(folder, 'a.jsonl')
  expect([noteLedger(file), noteLedger(file)]).toEqual([null, null])
  const { pid } = spawnSync(process.execPath, ['-e', ''])
  writeFileSync(join(notes(), 'a.jsonl'), `${pid} ${file}`)
  expect(noteLedger(file)).toBeNull()
})
