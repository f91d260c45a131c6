import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { isProof, seed, someOf } from '../../fixtures/test-size.ts'
import type { Report } from '../../reports/report.ts'
import { command, emptyFolder } from '../command.ts'

const script = fileURLToPath(new URL('../../fixtures/servers/hanging.mjs', import.meta.url))

/** The short form has a shorter timeout, and the checks that send most of the requests that hang. */
const timeoutMs = isProof ? 10_000 : 2_000
const only = isProof ? [] : ['plugin.add.*', 'plugin.errors.*', 'plugin.sequence.list'].flatMap((id) => ['--only', id])

/** The time that a run may take in addition to twice its usual time. */
const moreMs = isProof ? 60_000 : 30_000

async function judge(hang: string, checks: readonly string[] = only) {
  const folder = emptyFolder()
  const exec = `HANGS=${hang} exec "${process.execPath}" "${script}"`
  const args = ['run', '--seed', '1', '--timeout', `${timeoutMs}`, ...checks, '--exec', exec]
  const startedAt = performance.now()
  const { code, stdout, stderr } = await command(args, { cwd: folder })
  const durationMs = performance.now() - startedAt
  const report = JSON.parse(readFileSync(join(folder, 'tck-report/report.json'), 'utf8')) as Report
  const judged = report.requirements.flatMap((requirement) => requirement.checks)
  return { code, durationMs, judged, output: stdout + stderr }
}

let usual: ReturnType<typeof judge> | undefined

/** What hangs, and what the run says of it. */
const hangs = [
  [
    'changes-after-an-invalid-body',
    'POST /api/rules has no response since POST /api/rules with an invalid body was answered with 400',
  ],
  ['later-requests-of-a-connection', 'request 101 of a connection has no response'],
  ['connections-of-bad-requests', 'a response with status 400 does not end: the connection is not closed'],
] as const

test.for(someOf(hangs, 1))(
  `a run on a server that hangs in %s ends soon, and names what hangs (TCK_SEED=${seed})`,
  { timeout: 900_000 },
  async ([hang, named]) => {
    usual ??= judge('')
    const { durationMs, code } = await usual
    expect(code).toBe(0)
    const hanging = await judge(hang)
    expect(hanging.code, hanging.output).toBe(1)
    expect(hanging.judged.map(({ status }) => status)).not.toContain('error')
    const failed = hanging.judged.filter(({ status }) => status === 'failed')
    const findings = failed.map(({ actual }) => actual ?? '').filter((actual) => actual.includes(named))
    expect(findings, hanging.output).not.toEqual([])
    expect(hanging.durationMs).toBeLessThan(2 * durationMs + moreMs)
    console.info(`${hang}: ${Math.round(hanging.durationMs)} ms, usually ${Math.round(durationMs)} ms`)
  },
)

test('a server that is slow occasionally is not accused', { timeout: 900_000 }, async () => {
  const requirements = isProof ? ['plugin.delete.*', 'plugin.list.total', 'plugin.http.*'] : ['plugin.http.keep-alive']
  const checks = requirements.flatMap((id) => ['--only', id])
  const { code, output } = await judge('slow-now-and-then', [...checks, '--skip', 'CT-884', '--strict'])
  expect(code, output).toBe(0)
})
