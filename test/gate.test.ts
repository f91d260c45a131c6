import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Report, ReportedCheck } from '../reports/report.ts'
import { command, emptyFolder, main } from './command.ts'
import { liveKey, startLiveServer } from './live-server.ts'

const only = ['--only', 'plugin.delete.ok']

interface Judging {
  /** The status with which the server responds to a removal. */
  readonly status?: number
  readonly baseline?: string
  readonly seed?: number
  readonly env?: Readonly<Record<string, string>>
}

/** Runs the command against such a server, in its own folder. */
async function judge({ status = 202, baseline, seed = 1, env = {} }: Judging) {
  const folder = emptyFolder()
  const { url, methods } = await startLiveServer(3, {
    override: () => ({
      finish: (answer, { method }) => (method === 'DELETE' && answer.status === 200 ? { ...answer, status } : answer),
    }),
  })
  if (baseline !== undefined) writeFileSync(join(folder, 'known.yaml'), baseline)
  const gate = baseline === undefined ? [] : ['--baseline', 'known.yaml']
  const args = ['run', '--target', url, '--risk', 'write', '--yes', '--seed', String(seed), ...only, ...gate]
  const environment = { TCK_API_KEY: liveKey, GITHUB_ACTIONS: '', GITHUB_STEP_SUMMARY: '', ...env }
  const before = methods.length
  const ended = await command(args, { cwd: folder, env: environment })
  const reportFile = join(folder, 'tck-report/report.json')
  const sent = methods.length - before
  return { ...ended, folder, sent, report: () => JSON.parse(readFileSync(reportFile, 'utf8')) as Report }
}

/** The baseline that `copytrade-tck baseline` writes for the defect. */
async function writtenBaseline(): Promise<string> {
  const { folder, code } = await judge({})
  expect(code).toBe(1)
  const { stdout } = await command(['baseline', 'tck-report/report.json'], { cwd: folder })
  expect(stdout).toBe('1 known failure written to known-failures.yaml; 1 reason to fill in.\n')
  return readFileSync(join(folder, 'known-failures.yaml'), 'utf8')
}

let written: Promise<string> | null = null
/** Runs once for all tests. */
function unfinished(): Promise<string> {
  written ??= writtenBaseline()
  return written
}

async function filledIn(more = ''): Promise<string> {
  return (await unfinished()).replace('reason: ""', 'reason: corrected in 2.4') + more
}

test('all failures are known: exit 0 with another seed, and the verdict is unchanged', async () => {
  const { code, stdout, report } = await judge({ baseline: await filledIn(), seed: 2 })
  expect(code).toBe(0)
  expect(stdout).toContain('1 known failure (known.yaml), no deviation')
  const { verdict, gate } = report()
  expect(verdict).toBe('non-conformant')
  const excused = [{ check: 'CT-501', reason: 'corrected in 2.4', owner: null, expires: null }]
  expect(gate).toEqual({ baseline: 'known.yaml', findings: [], excused })
})

const nothingKnown = 'schema: copytrade-tck/baseline@2\nknownFailures: []\n'
const unknown = '  - check: CT-5011\n    reason: typed wrong\n    signature: x\n'

test.for([
  { kind: 'new-failure', baseline: async () => nothingKnown, status: 202 },
  { kind: 'stale', baseline: () => filledIn(), status: 200 },
  { kind: 'changed', baseline: () => filledIn(), status: 203 },
  { kind: 'expired', baseline: () => filledIn('    expires: 2026-01-31\n'), status: 202 },
  { kind: 'unknown-check', baseline: () => filledIn(unknown), status: 202 },
])('exit 1: $kind', async ({ kind, baseline, status }) => {
  const { code, stdout, report } = await judge({ baseline: await baseline(), status })
  expect(report().gate?.findings.map((finding) => finding.kind)).toEqual([kind])
  expect(stdout).toMatch(new RegExp(`^  ${kind} CT-501`, 'm'))
  expect(code).toBe(1)
})

test.for([
  {
    what: 'an entry without a reason',
    baseline: unfinished,
    says: /known\.yaml:\d+: `knownFailures\[0\]\.reason` is empty/,
  },
  {
    what: 'an unknown key',
    baseline: () => filledIn('    ownr: me\n'),
    says: /unknown member `ownr`\. Did you mean `owner`\?/,
  },
])('exit 2 for $what, and nothing is sent', async ({ baseline, says }) => {
  const { code, stderr, sent } = await judge({ baseline: await baseline() })
  expect(stderr).toMatch(says)
  expect(code).toBe(2)
  expect(sent).toBe(0)
})

test('in a GitHub job failures are annotations, known ones notices, and the summary is the job summary', async () => {
  const folder = emptyFolder()
  const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: join(folder, 'step.md') }
  const { code, stdout } = await judge({ env })
  expect(code).toBe(1)
  expect(stdout).toMatch(/^::error title=CT-501 plugin\.delete\.ok \(failed\)::The status is 202, not 200\.$/m)
  expect(stdout).toMatch(/^::stop-commands::(\S+)\n[\s\S]*\n::\1::\n::error/m)
  expect(readFileSync(env.GITHUB_STEP_SUMMARY, 'utf8')).toMatch(/^# Compatibility: non-conformant$/m)
  const known = await judge({ env, baseline: await filledIn() })
  expect(known.code).toBe(0)
  expect(known.stdout).toMatch(/^::notice title=CT-501 plugin\.delete\.ok \(known failure\)::corrected in 2\.4$/m)
  expect(known.stdout).not.toContain('::error')
})

test.skipIf(process.platform === 'win32')('an update without space for the file keeps the old one', async () => {
  const reason = `corrected in 2.4${', as agreed'.repeat(200)}`
  const old = (await filledIn()).replace('corrected in 2.4', reason)
  const { folder } = await judge({ baseline: old })
  const update = [main, 'baseline', 'update', 'tck-report/report.json', '--baseline', 'known.yaml']
  const limited = ['-c', 'ulimit -f 1 && exec "$0" "$@"', process.execPath, ...update]
  const { status, stderr } = spawnSync('sh', limited, { cwd: folder, encoding: 'utf8' })
  expect(stderr).toMatch(/^known\.yaml cannot be written: EFBIG/)
  expect(status).toBe(2)
  expect(readFileSync(join(folder, 'known.yaml'), 'utf8')).toBe(old)
  expect(readdirSync(folder)).toEqual(['known.yaml', 'tck-report'])
})

test('an update keeps the reasons of entries that still fail, adds new entries without one, and drops the rest', async () => {
  const { folder } = await judge({ baseline: await filledIn() })
  const update = (...more: string[]) =>
    command(['baseline', 'update', 'tck-report/report.json', ...more], { cwd: folder })
  expect(await update('--baseline', 'missing.yaml')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('missing'),
  })
  expect(await update('--baseline', 'known.yaml')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('0 reasons'),
  })
  expect(readFileSync(join(folder, 'known.yaml'), 'utf8')).toBe(await filledIn())
  writeFileSync(join(folder, 'known-failures.yaml'), `${nothingKnown.replace(' []', '')}${unknown}`)
  expect(await update()).toMatchObject({ code: 0, stdout: expect.stringContaining('1 reason to fill in') })
  expect(readFileSync(join(folder, 'known-failures.yaml'), 'utf8')).toBe(await unfinished())
})

test('--failed repeats the failed checks with their seed, or nothing if none failed', async () => {
  const cwd = emptyFolder()
  const repeat = (out: string, more: readonly string[] = []) =>
    command(['run', '--failed', `${out}/report.json`, ...more], { cwd })
  const faulty = ['--exec', `node "${join(import.meta.dirname, '../fixtures/servers/faulty.mjs')}"`]
  const selected = ['--only', 'CT-201', '--only', 'CT-511', '--seed', '7']
  expect(await command(['run', ...faulty, ...selected], { cwd })).toMatchObject({ code: 1 })
  expect(await repeat('tck-report', ['--out', 'again'])).toMatchObject({ code: 0 })
  const again = JSON.parse(readFileSync(join(cwd, 'again/report.json'), 'utf8')) as Report
  expect(again).toMatchObject({ seed: 7, scope: { only: ['CT-511'] } })
  expect(await repeat('again')).toMatchObject({ code: 2, stderr: expect.stringContaining('No check failed') })
  expect(await repeat('again', ['--only', 'CT-201'])).toMatchObject({ code: 2 })
  await later(`${cwd}/tck-report`, (check) => [check, { ...check, id: 'CT-19511' }])
  expect(await repeat('tck-report', ['--out', 'again'])).toMatchObject({
    code: 0,
    stderr: 'Skipped, since this kit has no such check: CT-19511.\n',
  })
  await later(`${cwd}/again`, (check) => [{ ...check, id: 'CT-19511', status: 'failed' }])
  expect(await repeat('again')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('This kit has none of the checks that failed in again/report.json: CT-19511.'),
  })
  // The report is read before it is removed.
  expect(await repeat('tck-report')).toMatchObject({ code: 0 })
  expect(await command(['baseline', 'update'])).toMatchObject({ code: 2 })
})

/** Replaces CT-511 in a report, as a kit with other checks would. */
async function later(folder: string, change: (check: ReportedCheck) => readonly ReportedCheck[]): Promise<void> {
  const file = join(folder, 'report.json')
  const report = JSON.parse(await readFile(file, 'utf8')) as Report
  const requirements = report.requirements.map((requirement) => ({
    ...requirement,
    checks: requirement.checks.flatMap((check) => (check.id === 'CT-511' ? change(check) : [check])),
  }))
  await writeFile(file, JSON.stringify({ ...report, requirements }))
}

test('a baseline is only overwritten on request, and a merge keeps its content', async () => {
  const { folder } = await judge({ baseline: await filledIn('    owner: core\n') })
  const baseline = (...more: string[]) => command(['baseline', 'tck-report/report.json', ...more], { cwd: folder })
  const out = ['--out', 'known.yaml', '--merge', 'known.yaml']
  expect(await baseline(...out)).toMatchObject({ code: 2, stderr: expect.stringContaining('--force') })
  expect(await baseline(...out, '--force')).toMatchObject({ code: 0, stdout: expect.stringContaining('0 reasons') })
  expect(readFileSync(join(folder, 'known.yaml'), 'utf8')).toBe(await filledIn('    owner: core\n'))
  expect(await baseline('--out', 'known.json')).toMatchObject({ code: 0 })
  expect(existsSync(join(folder, 'known.json'))).toBe(true)
  const wrong = await command(['baseline', 'known.json'], { cwd: folder })
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('known.json is not a report of this kit') })
})
