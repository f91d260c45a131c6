import { expect, test } from 'vitest'
import { buildReport } from './document.ts'
import { InvalidReportError, parseReport } from './read-report.ts'
import { sampleRun } from './sample-run.test-data.ts'

const written = () => JSON.parse(JSON.stringify(buildReport(sampleRun())))

test('a report of the kit can be read', () => {
  expect(parseReport(JSON.stringify(written()))).toEqual(written())
})

test.each([
  ['{', /^- the document: /],
  ['[]', /^- the document: expected object, received array$/],
  ['{"schema":"copytrade-tck/selftest@1"}', /^- `schema`: expected "copytrade-tck\/report@1"$/],
])('%s is rejected, with what was expected', (text, message) => {
  expect(() => parseReport(text)).toThrow(InvalidReportError)
  expect(() => parseReport(text)).toThrow(message)
})

test('each invalid member is named by its path', () => {
  const odd = written()
  odd.requirements[3].checks[0].status = 'ok'
  delete odd.verdict
  expect(() => parseReport(JSON.stringify(odd))).toThrow(
    /^- `requirements\[3\]\.checks\[0\]\.status`: expected one of /m,
  )
  expect(() => parseReport(JSON.stringify(odd))).toThrow(/^- `verdict`: expected one of "conformant"/m)
})
