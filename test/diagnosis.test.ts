import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { rightKey } from '../fixtures/servers/child.ts'
import type { Report } from '../reports/report.ts'
import { command, emptyFolder, start } from './command.ts'
import { foreignRules } from './live-server.ts'

test('for a running server with foreign rules, a fault that only some values show is named', async () => {
  const faultyServer = ['simulate', '--port', '0', '--api-key', rightKey, '--defect', 'add.fixed-rejected']
  const copies = Object.entries(foreignRules(12)).flatMap(([name, value]) => ['--param', `${name}=${value}`])
  const [, url = ''] = await start([...faultyServer, ...copies]).printed(/"url":"([^"]+)"/)
  const folder = emptyFolder()
  const only = ['plugin.add.*', 'plugin.http.*', 'CQ-*'].flatMap((glob) => ['--only', glob])
  const args = ['run', '--target', url, '--risk', 'write', '--yes', '--seed', '3', '--diagnose', '300', ...only]
  await command(args, { cwd: folder, env: { TCK_API_KEY: rightKey } })
  const { diagnosis } = JSON.parse(readFileSync(join(folder, 'tck-report/report.json'), 'utf8')) as Report
  const confirmed = diagnosis.filter((fault) => fault.confirmed)
  expect(confirmed.map(({ defects }) => defects)).toEqual([['add.fixed-rejected']])
  expect(confirmed[0]?.unexplained).toEqual([])
}, 600_000)

test('an interruption ends the diagnosis, and nothing is stated of it', async () => {
  const faulty = fileURLToPath(new URL('../fixtures/servers/faulty.mjs', import.meta.url))
  const folder = emptyFolder()
  const exec = `exec "${process.execPath}" "${faulty}"`
  const running = start(['run', '--exec', exec, '--diagnose', '300', '--only', 'plugin.add.*'], { cwd: folder })
  await running.printed(/^non-conformant /m)
  running.child.kill('SIGINT')
  const { code, stdout } = await running.ended
  expect(code).toBe(1)
  expect(stdout).not.toMatch(/confirmed|possible|the search ended/i)
  expect(stdout).toMatch(/^Report: /m)
  const { diagnosis } = JSON.parse(readFileSync(join(folder, 'tck-report/report.json'), 'utf8')) as Report
  expect(diagnosis).toEqual([])
})

test('a twin of a report warns of the failures that no served fault explains', async () => {
  const folder = emptyFolder()
  const faulty = fileURLToPath(new URL('../fixtures/servers/faulty.mjs', import.meta.url))
  await command(['run', '--exec', `exec "${process.execPath}" "${faulty}"`, '--only', 'CT-511'], { cwd: folder })
  const twin = start(['simulate', '--port', '0', '--api-key', 'k', '--like', 'tck-report/report.json'], { cwd: folder })
  await twin.printed(
    /"checks":\["CT-511"\],"msg":"no served fault explains these failures of the report: the twin passes"/,
  )
})

test('a file that is not a report is rejected before anything is served', async () => {
  const { code, stderr } = await command(['simulate', '--like', fileURLToPath(import.meta.url)])
  expect(code).toBe(2)
  expect(stderr).toContain('is not a report of this kit')
})
