import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { directTransport } from '../../../suites/client/transport.ts'
import { ledgerName, openLedger } from '../../../suites/safety/ledger.ts'
import type { Risk } from '../../../suites/session/check.ts'
import { UsageError } from '../../command-error.ts'
import { rejectUnfinished } from './consent.ts'

/** A report folder with the ledger of a run that ended during its writes to this target. */
function unfinishedAt(target: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'copytrade-tck-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const ledger = openLedger(join(folder, ledgerName(target)), (text) => text)
  const logins = { from: 500, to: 509 }
  ledger.append({ event: 'open', schema: 'copytrade-tck/ledger@1', target, startedAt: 'then', logins, before: [] })
  ledger.append({ event: 'write', request: 'POST /api/rules', body: '{}', logins: [] })
  ledger.close()
  return folder
}

/** A folder for the notes of this test alone. `notes` does not exist yet. */
function emptyStateHome() {
  const state = mkdtempSync(join(tmpdir(), 'copytrade-tck-test-'))
  vi.stubEnv('XDG_STATE_HOME', state)
  onTestFinished(() => {
    vi.unstubAllEnvs()
    rmSync(state, { recursive: true, force: true })
  })
  const notes = join(state, 'copytrade-tck/ledgers')
  mkdirSync(dirname(notes))
  return { state, notes }
}

test('an unfinished run blocks only runs against the same target', () => {
  const folder = unfinishedAt('http://h/a-b')
  expect(() => rejectUnfinished('http://h/a-b', directTransport, { out: folder, risk: 'read' })).toThrow(UsageError)
  for (const other of ['https://h/a-b', 'http://h/a/b'])
    rejectUnfinished(other, directTransport, { out: folder, risk: 'read' })
})

test('a folder of notes that cannot be read blocks runs that write, against any target', () => {
  const { state, notes } = emptyStateHome()
  symlinkSync(notes, notes)
  const rejecting = (risk: Risk) => () => rejectUnfinished('http://h', directTransport, { out: state, risk })
  expect(rejecting('write')).toThrow(`${notes} cannot be read, so an unfinished run`)
  rejecting('read')()
})

test.for([
  {
    what: 'of a run that has not opened its ledger yet',
    note: (path: string) => writeFileSync(path, ''),
    says: /^Another run \(process 1\)/,
  },
  {
    what: 'that cannot be read',
    note: (path: string) => mkdirSync(path),
    says: /jsonl\.1 cannot be read, so an unfinished run/,
  },
])('the note of another process $what blocks only runs against the same target', ({ note, says }) => {
  const { state, notes } = emptyStateHome()
  mkdirSync(notes)
  note(join(notes, `${ledgerName('http://h/a-b')}.1`))
  const rejecting = (target: string) => () => rejectUnfinished(target, directTransport, { out: state, risk: 'write' })
  expect(rejecting('http://h/a-b')).toThrow(says)
  rejecting('http://h/a/b')()
})
