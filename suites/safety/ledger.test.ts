import { appendFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createRedactor } from '../../http/redact.ts'
import { type LedgerEntry, ledgerName, openLedger, readLedger } from './ledger.ts'

const opening: LedgerEntry = {
  event: 'open',
  schema: 'copytrade-tck/ledger@1',
  target: 'http://127.0.0.1:8443',
  startedAt: '',
  logins: { from: 500, to: 509 },
  before: [],
}
const write: LedgerEntry = { event: 'write', request: 'POST /api/rules', body: '{}', logins: [] }

/** A ledger with these entries. */
function ledgerWith(...entries: readonly LedgerEntry[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'copytrade-tck-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const ledger = openLedger(join(folder, 'ledger.jsonl'), (text) => text)
  for (const entry of entries) ledger.append(entry)
  ledger.close()
  return ledger.file
}

test.for([
  ['http://h', 'https://h'],
  ['http://h/a/b', 'http://h/a-b'],
  ['http://h:80/a', 'http://h-80/a'],
  ['http://h/A', 'http://h/a'],
] as const)('the ledgers of %s and %s are two files, on any file system', ([one, other]) => {
  expect(ledgerName(one).toLowerCase()).not.toBe(ledgerName(other).toLowerCase())
})

test('the name of a ledger shows the target and is always the same', () => {
  expect(ledgerName('https://host:8443/some/prefix')).toMatch(/^ledger-host-8443-some-prefix-[0-9a-f]{8}\.jsonl$/)
  expect(ledgerName('http://h')).toBe(ledgerName('http://h'))
  expect(ledgerName('https://host/one', 'accounts')).toMatch(/^accounts-host-one-[0-9a-f]{8}\.jsonl$/)
})

test('a run that wrote nothing has nothing to clean up', () => {
  expect(readLedger(ledgerWith(opening))?.unfinished).toBe(false)
})

test('a write that a crash truncated was never sent', () => {
  const file = ledgerWith(opening)
  appendFileSync(file, '{"event":"write","requ')
  expect(readLedger(file)?.unfinished).toBe(false)
})

test.for(['null', '1', '"open"', '[]'])('a line that is valid JSON but not an entry is ignored: %s', (line) => {
  const file = ledgerWith(opening, write)
  appendFileSync(file, `${line}\n`)
  expect(readLedger(file)).toEqual(readLedger(ledgerWith(opening, write)))
})

test.for([
  [write],
  [{ event: 'remove', index: 0, rule: { master: 1, follower: 2, mode: 'mult', value: 1, direction: 'same' } }],
  [{ event: 'hook', step: 'stop', pid: 1 }],
] as const)('a run that announced %j without `closed` is unfinished', ([entry]) => {
  expect(readLedger(ledgerWith(opening, entry))?.unfinished).toBe(true)
  expect(readLedger(ledgerWith(opening, entry, { event: 'closed' }))?.unfinished).toBe(false)
})

test('only the last run of a ledger counts', () => {
  expect(readLedger(ledgerWith(opening, write, { event: 'closed' }, opening, write))?.unfinished).toBe(true)
  expect(readLedger(ledgerWith(opening, write, { event: 'closed' }, opening))?.unfinished).toBe(false)
})

test('a ledger that cannot be read or opened is a problem that its user can solve', () => {
  const file = `${ledgerWith()}-loop`
  symlinkSync(file, file)
  for (const use of [() => readLedger(file), () => openLedger(file, (text) => text)]) {
    expect(use).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(/^The ledger cannot be used: ELOOP.*\.$/),
        hint: expect.stringContaining('`sudo`'),
      }),
    )
  }
})

test('lines after a truncated one are read', () => {
  const file = ledgerWith(opening, write)
  appendFileSync(file, '{"event":"write","requ')
  const ledger = openLedger(file, (text) => text)
  ledger.append({ event: 'closed' })
  ledger.close()
  expect(readLedger(file)?.unfinished).toBe(false)
})

test('only the start of a long body is stored, and no part of a key', () => {
  const key = 'a-secret-of-tests'
  const ledger = openLedger(ledgerWith(opening), createRedactor([key]))
  for (const before of [10, 1_990, 2 ** 21]) {
    ledger.append({ event: 'write', request: 'raw bytes', body: `${'.'.repeat(before)}${key}`, logins: [500] })
  }
  ledger.close()
  const text = readFileSync(ledger.file, 'utf8')
  expect(text.length).toBeLessThan(7_000)
  expect(text.replaceAll('[redacted]', '')).not.toMatch(/a-s|ests/)
})
