import { expect, test } from 'vitest'
import { buildReport } from './document.ts'
import { InvalidReportError, parseReport } from './read-report.ts'
import { sampleRun } from './sample-run.test-data.ts'
import { renderers } from './write.ts'

const written = () => JSON.parse(JSON.stringify(buildReport(sampleRun())))

test('what the kit writes is read', () => {
  expect(parseReport(JSON.stringify(written()))).toEqual(written())
})

test('a report of an earlier version, without the members that came later, is read and rendered', () => {
  const { diagnosis: _, gate: _gate, drift: _drift, platform: _platform, ...earlier } = written()
  for (const { checks } of earlier.requirements) {
    for (const check of checks) for (const name of ['code', 'data', 'explainedBy']) delete check[name]
  }
  for (const observation of earlier.observations) delete observation.exchangesOmitted
  const report = parseReport(JSON.stringify(earlier))
  for (const format of ['html', 'junit', 'md', 'har', 'ctrf'] as const) {
    // The script of the page is its own.
    const text = renderers[format](report).replace(/<script>.*<\/script>/s, '')
    expect(text).not.toMatch(/(?<!properties of )undefined|NaN/)
  }
})

test.each([
  ['{', /^- the document: /],
  ['[]', /^- the document: expected object, received array$/],
  ['{"schema":"copytrade-tck/selftest@1"}', /^- `schema`: expected "copytrade-tck\/report@1"$/],
])('%s is rejected, with what was expected', (text, message) => {
  expect(() => parseReport(text)).toThrow(InvalidReportError)
  expect(() => parseReport(text)).toThrow(message)
})

test('each member that is wrong is named by its path', () => {
  const odd = written()
  odd.requirements[3].checks[0].status = 'ok'
  delete odd.verdict
  expect(() => parseReport(JSON.stringify(odd))).toThrow(
    /^- `requirements\[3\]\.checks\[0\]\.status`: expected one of /m,
  )
  expect(() => parseReport(JSON.stringify(odd))).toThrow(/^- `verdict`: expected one of "conformant"/m)
})
