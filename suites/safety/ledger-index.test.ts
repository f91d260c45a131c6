import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { defaultLogins } from '../session/logins.ts'
import { type LedgerEntry, openLedger } from './ledger.ts'
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

/** Registers a ledger as another process does. */
function noteOf(pid: number | undefined, file: string): void {
  mkdirSync(notes(), { recursive: true })
  writeFileSync(join(notes(), `${basename(file)}.${pid}`), file)
}

/** The id of a process that has ended. */
const endedPid = () => spawnSync(process.execPath, ['-e', '']).pid

const write: LedgerEntry = { event: 'write', request: 'POST /api/rules', body: '', logins: [] }

test('a run that another command found before its first write is found after it', () => {
  const ledger = begun('a.jsonl')
  noteLedger(ledger.file)
  expect(unfinishedRuns().runs).toMatchObject([
    { name: 'a.jsonl', file: ledger.file, pid: process.pid, run: { unfinished: false } },
  ])
  ledger.append(write)
  expect(unfinishedRuns().runs).toMatchObject([{ file: ledger.file, run: { unfinished: true } }])
})

test('a run is no longer found after its clean-up, and its note goes with its process', () => {
  const ledger = begun('a.jsonl')
  const forget = noteLedger(ledger.file)
  ledger.append(write)
  ledger.append({ event: 'closed' })
  expect(unfinishedRuns().runs).toEqual([])
  expect(readdirSync(notes())).toEqual([`a.jsonl.${process.pid}`])
  forget()
  noteOf(endedPid(), ledger.file)
  expect(unfinishedRuns().runs).toEqual([])
  expect(readdirSync(notes())).toEqual([])
})

test('a run that ended before its first write is not found', () => {
  noteOf(endedPid(), begun('a.jsonl').file)
  expect(unfinishedRuns().runs).toEqual([])
  expect(readdirSync(notes())).toEqual([])
})

test('of two runs that begin at the same time, both are found, whether or not their ledgers are open', () => {
  const other = spawn('sleep', ['60'])
  onTestFinished(() => void other.kill())
  // An ended run of the same target had registered it before.
  noteOf(endedPid(), join(folder, 'earlier', 'a.jsonl'))
  noteOf(other.pid, join(folder, 'elsewhere', 'a.jsonl'))
  noteLedger(begun('a.jsonl').file)
  const found = unfinishedRuns().runs.map(({ name, pid, run }) => ({ name, pid, isOpen: run !== null }))
  expect(found).toHaveLength(2)
  expect(found).toContainEqual({ name: 'a.jsonl', pid: other.pid, isOpen: false })
  expect(found).toContainEqual({ name: 'a.jsonl', pid: process.pid, isOpen: true })
})

test('a note that cannot be read is reported, and hides no other run; one that has just gone is not reported', () => {
  const ledger = begun('b.jsonl')
  noteLedger(ledger.file)
  const unreadable = join(notes(), 'a.jsonl.1')
  mkdirSync(unreadable)
  symlinkSync('nowhere', join(notes(), 'c.jsonl.2'))
  expect(unfinishedRuns()).toMatchObject({
    runs: [{ file: ledger.file }],
    unreadable: [{ path: unreadable, name: 'a.jsonl' }],
  })
})

test('a folder of notes that cannot be read is reported, and one that is missing is not', () => {
  expect(unfinishedRuns()).toEqual({ runs: [], unreadable: [] })
  mkdirSync(join(folder, 'copytrade-tck'))
  symlinkSync(notes(), notes())
  expect(unfinishedRuns()).toEqual({ runs: [], unreadable: [{ path: notes(), name: null }] })
})
