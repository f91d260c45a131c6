import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Report } from '../reports/report.ts'
import { deleteRuleDefects } from '../simulator/defects/4-2-delete-rule.ts'
import type { SimulatorOptions } from '../simulator/index.ts'
import { command, emptyFolder } from './command.ts'
import { liveKey, startLiveServer } from './live-server.ts'

const some = [
  'plugin.delete.shifts-later',
  'plugin.list.ok',
  'plugin.auth.list-needs-key',
  'plugin.http.keep-alive',
  'plugin.index.base',
]

interface Recorded {
  readonly folder: string
  readonly run: Report
  readonly code: number | null
  readonly recording: string
}

/** Judges a server at the risk `write` and keeps its exchanges; the server is gone afterwards. */
async function record(
  options: Omit<SimulatorOptions, 'parameters' | 'rulesFile'> = {},
  extra: readonly string[] = [],
): Promise<Recorded> {
  const folder = emptyFolder()
  const server = await startLiveServer(14, options)
  const only = some.flatMap((glob) => ['--only', glob])
  const args = ['run', '--target', server.url, '--risk', 'write', '--record', 'r.jsonl', '--out', 'run', ...only]
  const { code, stderr } = await command([...args, ...extra], { cwd: folder, env: { TCK_API_KEY: liveKey } })
  expect(stderr).toBe('')
  await server.die()
  return { folder, run: reportIn(folder, 'run'), code, recording: readFileSync(join(folder, 'r.jsonl'), 'utf8') }
}

async function replay(folder: string, args: readonly string[] = []) {
  const only = some.flatMap((glob) => ['--only', glob])
  const ended = await command(['replay', 'r.jsonl', '--out', 'replay', ...only, ...args], { cwd: folder })
  return { ...ended, report: ended.code === 2 ? null : reportIn(folder, 'replay') }
}

const reportIn = (folder: string, out: string) =>
  JSON.parse(readFileSync(join(folder, out, 'report.json'), 'utf8')) as Report

const statuses = ({ requirements, observations }: Report) => [
  ...requirements.flatMap(({ checks }) => checks.map(({ id, status }) => `${id} ${status}`)),
  ...observations.map(({ check, status, answer }) => `${check} ${status} ${answer}`),
]

describe('a recording', () => {
  test('may lie in the folder of the report, which the run makes', async () => {
    const { url } = await startLiveServer(2)
    const args = ['run', '--target', url, '--only', 'plugin.list.ok', '--record', 'tck-report/r.jsonl']
    expect(await command(args, { env: { TCK_API_KEY: liveKey } })).toMatchObject({ code: 0 })
  })

  test('of an earlier run stays where the target of the next one cannot be reached', async () => {
    const cwd = emptyFolder()
    writeFileSync(join(cwd, 'r.jsonl'), 'an earlier recording')
    const nobody = ['run', '--target', 'http://127.0.0.1:1', '--record']
    for (const file of ['r.jsonl', 'new.jsonl']) {
      expect(await command([...nobody, file], { cwd, env: { TCK_API_KEY: liveKey } })).toMatchObject({ code: 4 })
    }
    expect(readFileSync(join(cwd, 'r.jsonl'), 'utf8')).toBe('an earlier recording')
    expect(readdirSync(cwd)).not.toContain('new.jsonl')
  })

  test('is judged again as the server was, offline, and the report says that it was replayed', async () => {
    const { folder, run, code, recording } = await record()
    expect(recording).not.toContain(liveKey)
    expect(code).toBe(0)
    const { report, stdout, ...replayed } = await replay(folder)
    expect(replayed).toMatchObject({ code: 0, stderr: '' })
    expect(report && statuses(report)).toEqual(statuses(run))
    expect(statuses(run).filter((line) => line.endsWith(' passed')).length).toBeGreaterThan(5)
    expect(report?.replay).toMatchObject({ recordedAt: run.startedAt, kit: run.kit })
    expect(report?.harm).toEqual(run.harm)
    expect(stdout).toContain('replayed: judged from a recording')
    for (const file of ['report.html', 'summary.md']) {
      expect(readFileSync(join(folder, 'replay', file), 'utf8')).toContain('replayed: judged from a recording')
    }
    await judgesOneAlone(folder)
    await blocksTheRest(folder, recording)
  })

  test('of a wrong server fails as the server did', async () => {
    const wrong = deleteRuleDefects.find(({ id }) => id === 'delete.moves-last-into-hole')
    const { folder, run, code } = await record(wrong === undefined ? {} : { override: wrong.override })
    expect(code).toBe(1)
    const { report, code: replayed } = await replay(folder)
    expect(replayed).toBe(1)
    expect(report && statuses(report)).toEqual(statuses(run))
  })
})

/** A check drafts the rules that it drafted then, whatever ran before it. */
async function judgesOneAlone(folder: string): Promise<void> {
  const { stdout, code } = await command(['replay', 'r.jsonl', '--only', 'CT-521'], { cwd: folder })
  expect(stdout).toContain('1 passed')
  expect(code).toBe(0)
}

/** What a recording does not hold blocks a check, with the reason, and fails nothing. */
async function blocksTheRest(folder: string, recording: string): Promise<void> {
  const lines = recording.trim().split('\n')
  // As if CT-519 had been another check then, and CT-521 none at all.
  const isOf = (line: string, check: string) => (JSON.parse(line) as { check?: string }).check === check
  const kept = lines.filter((line) => !isOf(line, 'CT-521') && !(isOf(line, 'CT-519') && line.includes('"DELETE"')))
  expect(kept.length).toBeLessThan(lines.length)
  writeFileSync(join(folder, 'r.jsonl'), `${kept.join('\n')}\n`)
  const { report, code } = await replay(folder)
  const checks = report?.requirements.flatMap(({ checks: all }) => all) ?? []
  expect(checks.find(({ id }) => id === 'CT-519')).toMatchObject({
    status: 'blocked',
    message: expect.stringContaining('the recording holds no such request: DELETE /api/rules/'),
  })
  expect(checks.find(({ id }) => id === 'CT-521')).toMatchObject({
    status: 'out-of-scope',
    message: 'the recorded run did not run this check',
  })
  expect(checks.filter(({ status }) => status === 'failed' || status === 'error')).toEqual([])
  expect(code).toBe(3)
}

test.for([
  { text: '', says: 'is no recording' },
  { text: '{"kind":"run"', says: 'cannot be read' },
  { text: '{"kind":"run","schema":"other@1"}', says: 'copytrade-tck/recording@1' },
])('a file with $text is no recording: exit 2', async ({ text, says }) => {
  const folder = emptyFolder()
  writeFileSync(join(folder, 'r.jsonl'), text)
  const { code, stderr } = await replay(folder)
  expect(stderr).toContain(says)
  expect(code).toBe(2)
})

test('--record without --target: exit 2', async () => {
  const { code, stderr } = await command(['run', '--record', 'r.jsonl'])
  expect(stderr).toContain('--target')
  expect(code).toBe(2)
})
