import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { rightKey } from '../../fixtures/servers/child.ts'
import { started } from '../../fixtures/servers/child-in-test.ts'
import { seed, someOf } from '../../fixtures/test-size.ts'
import type { Report } from '../../reports/report.ts'
import { command, emptyFolder, start } from '../command.ts'

const faulty = fileURLToPath(new URL('../../fixtures/servers/faulty.mjs', import.meta.url))
const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
const faults = 'delete-moves-last-into-hole,wrong-key-prefix-accepted'
const server = `FAULTS=${faults} exec "${process.execPath}" "${faulty}"`
const some = ['plugin.delete.*', 'plugin.auth.*'].flatMap((glob) => ['--only', glob])

async function judged(exec: string, folder: string, ...more: readonly string[]) {
  const { code, stdout } = await command(['run', '--exec', exec, '--seed', '1', ...some, ...more], { cwd: folder })
  const report = JSON.parse(readFileSync(join(folder, 'tck-report/report.json'), 'utf8')) as Report
  const checks = report.requirements.flatMap((requirement) => requirement.checks)
  return { code, stdout, report, failed: checks.filter(({ status }) => status === 'failed') }
}

test('for a server with two faults both are named with their own failures, and its twin fails the same checks and has no other difference', async () => {
  const folder = emptyFolder()
  // With the observations: the diagnosis re-enacts with the answers of the server.
  const original = await judged(server, folder, '--only', 'CQ-*', '--diagnose', '300')
  expect(original.code).toBe(1)
  const reenacted = original.report.diagnosis.filter((fault) => fault.reenacted)
  expect(reenacted.flatMap(({ defects }) => defects).toSorted()).toEqual([
    'delete.moves-last-into-gap',
    'key.prefix-accepted',
  ])
  expect(reenacted.flatMap(({ explains }) => explains).toSorted()).toEqual(
    original.failed.map(({ id }) => id).toSorted(),
  )
  for (const { id, explainedBy } of original.failed) {
    const own = reenacted.filter(({ explains }) => explains.includes(id)).flatMap(({ defects }) => defects)
    expect([id, explainedBy]).toEqual([id, own])
  }

  const report = join(folder, 'tck-report/report.json')
  const like = `exec "${process.execPath}" "${main}" simulate --like "${report}"`
  const twin = await judged(like, emptyFolder(), '--diagnose', '0')
  expect(twin.report.verdict).toBe(original.report.verdict)
  expect(twin.failed.map(({ id, code }) => [id, code])).toEqual(original.failed.map(({ id, code }) => [id, code]))
  expect(twin.report.diagnosis).toEqual([])
  expect(twin.stdout).not.toMatch(/fault is confirmed/)

  const child = await started({ server: 'faulty', environment: { FAULTS: faults } })
  const target = ['--target', `http://127.0.0.1:${child.port}`, '--risk', 'write', '--yes', '--seed', '1']
  for (const [judgedBefore, code] of [
    [['--like', report], 0],
    [[], 1],
  ] as const) {
    const other = start(['simulate', '--port', '0', '--api-key', rightKey, ...judgedBefore])
    const [, url = ''] = await other.printed(/"url":"([^"]+)"/)
    const against = ['--against', url, '--against-api-key', rightKey, '--ignore', '/uptime_s']
    const parity = await command(['parity', ...target, ...against], { env: { TCK_API_KEY: rightKey } })
    expect(parity.code, parity.stdout + parity.stderr).toBe(code)
  }
}, 600_000)

const difficult = [
  ['depends on earlier requests', 'sequence.new-rule-keeps-direction-of-removed-last-rule', '*'],
  ['removes another rule of the kit', 'delete.matches-by-logins', 'plugin.delete.*'],
]

test.for(someOf(difficult, 1))(
  `a fault that %s is named (TCK_SEED=${seed})`,
  { timeout: 600_000 },
  async ([, defect = '', only = '']) => {
    const folder = emptyFolder()
    const exec = `exec "${process.execPath}" "${main}" simulate --defect ${defect}`
    await command(['run', '--exec', exec, '--seed', '1', '--diagnose', '300', '--only', only], { cwd: folder })
    const { diagnosis } = JSON.parse(readFileSync(join(folder, 'tck-report/report.json'), 'utf8')) as Report
    expect(diagnosis.filter((fault) => fault.reenacted).map(({ defects }) => defects)).toEqual([[defect]])
  },
)
