import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { buildReport } from '../../reports/document.ts'
import { sampleRun } from '../../reports/sample-run.test-data.ts'
import { UsageError } from '../command-error.ts'
import { readReport } from './read-report.ts'

const written = () => JSON.parse(JSON.stringify(buildReport(sampleRun())))

function read(text: string) {
  const folder = mkdtempSync(join(tmpdir(), 'copytrade-tck-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'report.json')
  writeFileSync(path, text)
  return readReport(path)
}

test('a report of the kit can be read', () => {
  expect(read(JSON.stringify(written()))).toEqual(written())
})

test('the byte order mark that some shells write is ignored', () => {
  expect(read(`\ufeff${JSON.stringify(written())}`)).toEqual(written())
})

test.each([
  ['{', /^- the document: /m],
  ['[]', /^- the document: expected object, received array$/m],
  ['{"schema":"copytrade-tck/selftest@1"}', /^- `schema`: expected "copytrade-tck\/report@1"$/m],
])('%s is rejected, with what was expected', (text, message) => {
  expect(() => read(text)).toThrow(UsageError)
  expect(() => read(text)).toThrow(message)
})

test('each invalid member is named by its path', () => {
  const odd = written()
  odd.requirements[3].checks[0].status = 'ok'
  delete odd.verdict
  expect(() => read(JSON.stringify(odd))).toThrow(/^- `requirements\[3\]\.checks\[0\]\.status`: expected one of /m)
  expect(() => read(JSON.stringify(odd))).toThrow(/^- `verdict`: expected one of "conformant"/m)
})
