import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { failed, stoppedAtEnd } from '../../reports/sample-run.test-data.ts'
import { addOutputs, addToJobSummary, annotations, inertText, onGithub, workflowCommand } from './github.ts'
import { ids, reportOf } from './sample-baseline.test-data.ts'

test('a GitHub job is detected by its environment variable', () => {
  expect(onGithub({ GITHUB_ACTIONS: 'true' })).toBe(true)
  expect(onGithub({})).toBe(false)
})

test('everything that ends a line, a property or a command is escaped', () => {
  expect(workflowCommand('error', 'a:b,c%', '1%\r\n::warning::x, y: z')).toBe(
    '::error title=a%3Ab%2Cc%25::1%25%0D%0A::warning::x, y: z',
  )
})

test('without a baseline each failure that counts is an error, and each other one a warning', () => {
  const report = reportOf([failed(ids.required), failed(ids.lower)])
  const lines = annotations(report).trimEnd().split('\n')
  expect(lines).toHaveLength(2)
  expect(lines[1]).toMatch(/^::warning title=CT-120 plugin\.[\w.-]+ \((expected|robustness)\)::The follower/)
  expect(lines[0]).toMatch(/^::error title=CT-106 plugin\.[\w.-]+ \(failed\)::The follower of rule 1 should be/)
})

test('with a baseline, new findings are errors and known failures are notices', () => {
  const findings = [{ kind: 'stale' as const, check: ids.required, message: 'passes' }]
  const excused = [{ check: ids.other, reason: 'next\nrelease', owner: null, expires: null }]
  const gate = { baseline: 'k.yaml', findings, excused }
  const lines = annotations({ ...reportOf([failed(ids.other)]), gate })
    .trimEnd()
    .split('\n')
  expect(lines).toEqual([
    expect.stringMatching(/^::error title=CT-106 .* \(stale\)::passes$/),
    expect.stringMatching(/^::notice title=CT-107 .* \(known failure\)::next release$/),
  ])
})

test('text that quotes a target is wrapped so that none of its lines is a command', () => {
  const [first, ...rest] = inertText('actual\n  ::add-mask::x').split('\n')
  const token = /^::stop-commands::([\w-]{36})$/.exec(first ?? '')?.[1]
  expect(rest).toEqual(['actual', '  ::add-mask::x', `::${token}::`, ''])
  expect(inertText('x')).not.toBe(inertText('x'))
})

test('the summary is appended, and truncated if it is too long', () => {
  const folder = mkdtempSync(join(tmpdir(), 'summary-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const env = { GITHUB_STEP_SUMMARY: join(folder, 'summary.md') }
  addToJobSummary('# one\n', env)
  addToJobSummary(`# two\n\n## Failed\n${'x'.repeat(2_000_000)}`, env)
  expect(readFileSync(env.GITHUB_STEP_SUMMARY, 'utf8')).toMatch(/^# one\n# two\n\nThe whole summary is too long/)
})

test('the step outputs are the verdict and the path of the page, and a path cannot inject another output', () => {
  const folder = mkdtempSync(join(tmpdir(), 'output-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const env = { GITHUB_OUTPUT: join(folder, 'output') }
  addOutputs({ verdict: 'partial' }, 'a\nverdict=conformant', env)
  expect(readFileSync(env.GITHUB_OUTPUT, 'utf8')).toMatch(
    /^verdict=partial\nreport<<([\w-]{36})\na\nverdict=conformant\n\1\n$/,
  )
})

test('a summary that cannot be written is reported and does not throw', () => {
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  onTestFinished(() => void vi.restoreAllMocks())
  addToJobSummary('# one', {})
  expect(written).not.toHaveBeenCalled()
  addToJobSummary('# one', { GITHUB_STEP_SUMMARY: join(tmpdir(), 'no', 'such', 'folder') })
  expect(written).toHaveBeenCalledWith(expect.stringMatching(/^The result could not be written for the job: ENOENT/))
})

test('an incomplete run is a warning that says why', () => {
  const report = { ...reportOf([]), verdict: 'incomplete' as const, explanation: '1 check could not be judged.' }
  expect(annotations(report)).toBe('::warning title=incomplete::1 check could not be judged.\n')
})

test('what fails a run besides its checks is an error', () => {
  expect(annotations(reportOf([], false, stoppedAtEnd))).toBe(
    '::error title=list::The server that the kit started no longer responds at the end of the run.\n',
  )
  const finding = { question: 'q', check: 'CQ-401', clause: '2.3', text: 'Which?', expected: '0', answer: '1' }
  const drift = { profile: 'p.yaml', agreeing: 3, unanswered: [], findings: [{ ...finding, message: null }] }
  expect(annotations({ ...reportOf([], true), drift })).toBe(
    '::error title=profile::1 of 4 answers drifted from the profile (p.yaml), which counts with --strict.\n',
  )
  expect(annotations({ ...reportOf([]), drift })).toBe('')
})
