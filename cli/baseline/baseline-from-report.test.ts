import { expect, test } from 'vitest'
import { failed, passed } from '../../reports/sample-run.test-data.ts'
import { type Baseline, baselineJson, baselineOf, baselineYaml, parseBaseline } from './baseline-file.ts'
import { baseline, ids, known, reportOf } from './sample-baseline.test-data.ts'

const report = reportOf([failed(ids.other), failed(ids.required), failed(ids.lower)])
const read = (text: string, path: string) => parseBaseline(text, path, 'open')
const checks = ({ knownFailures }: Baseline) => knownFailures.map(({ check }) => check)

test('the failures that count are listed in the order of the report, with empty reasons', () => {
  const listed = baselineOf(report, null, [])
  expect(listed).toEqual(baseline(known(ids.required, { reason: '' }), known(ids.other, { reason: '' })))
  const strict = { ...report, scope: { ...report.scope, strict: true } }
  expect(checks(baselineOf(strict, null, []))).toEqual([ids.required, ids.other, ids.lower])
})

test('a written baseline can be read, as YAML and as JSON', () => {
  const listed = baseline(known(ids.required, { reason: 'a: "b" #c', owner: 'core', expires: '2026-12-31' }))
  expect(read(baselineYaml(listed, report), 'k.yaml')).toEqual(listed)
  expect(read(baselineJson(listed), 'k.json')).toEqual(listed)
  expect(read(baselineYaml(baseline(), report), 'k.yaml')).toEqual(baseline())
})

test('comments say what fails, and text of a target cannot end a comment', () => {
  const hostile = { ...failed(ids.required), message: 'broken\nschema: other\u2028\u0085knownFailures: []\r#' }
  const text = baselineYaml(baselineOf(reportOf([hostile]), null, []), reportOf([hostile]))
  expect(text).toContain('  # plugin.')
  expect(text).toContain(
    '  # broken schema: other \\u0085knownFailures: []\\u000d#\n  - check: CT-106\n    reason: ""\n',
  )
  expect(checks(read(text, 'k.yaml'))).toEqual([ids.required])
})

test('an entry keeps its comment if its check did not fail in the report', () => {
  const entries = baselineOf(report, null, [])
  const before = baselineYaml(entries, report)
  const skipped = { status: 'out-of-scope' as const, message: 'not selected by --only or --skip' }
  const later = reportOf([{ ...passed(ids.required), ...skipped }, failed(ids.lower)])
  expect(baselineYaml(entries, later, before)).toBe(before)
  const changed = reportOf([{ ...failed(ids.required), message: 'otherwise' }])
  expect(baselineYaml(entries, changed, before)).toContain('# otherwise')
})

test('a merge keeps the entries of checks that fail as before or could not be judged', () => {
  const kept = known(ids.required, { reason: 'agreed', owner: 'core', expires: '2026-12-31' })
  const changed = known(ids.other, { reason: 'was otherwise', signature: 'ffffffffffff' })
  const unjudged = known('CT-116', { reason: 'no files here' })
  const passes = known('CT-100', { reason: 'was broken' })
  const earlier = baseline(passes, unjudged, changed, kept)
  const missing = { ...passed('CT-116'), status: 'out-of-scope' as const, message: 'no files' }
  const merged = baselineOf(reportOf([failed(ids.required), failed(ids.other), missing]), earlier, [])
  expect(merged).toEqual(baseline(kept, known(ids.other, { reason: '' }), unjudged))
})

test('a listed check that fails in another way gets the new signature and an empty reason at any level', () => {
  const changed = known(ids.lower, { reason: 'was otherwise', signature: 'ffffffffffff' })
  const kept = known(ids.other, { reason: 'agreed' })
  const merged = baselineOf(reportOf([failed(ids.other), failed(ids.lower)]), baseline(changed, kept), [])
  expect(merged).toEqual(baseline(kept, known(ids.lower, { reason: '' })))
})

test('a merge keeps the entries of checks that are not in the report, after the others, and drops unknown ones', () => {
  const [platform, unknown] = [known('CP-208', { reason: 'agreed' }), known('CT-5011')]
  const merged = baselineOf(report, baseline(platform, unknown), [ids.required, ids.other, 'CP-208'])
  expect(merged).toEqual(baseline(known(ids.required, { reason: '' }), known(ids.other, { reason: '' }), platform))
})
