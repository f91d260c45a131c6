import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Report } from '../reports/report.ts'
import { command, emptyFolder } from './command.ts'

test('the embedded simulator passes: every requirement is judged, and the reports are written', async () => {
  const folder = emptyFolder()
  const { code, stdout } = await command(['run', '--seed', '11'], { cwd: folder })
  expect(stdout).toContain('(risk exclusive, started with 3 rules that must not change)')
  expect(stdout).toContain('0 of 3 rules changed')
  expect(code).toBe(0)
  const report = JSON.parse(readFileSync(join(folder, 'tck-report/report.json'), 'utf8')) as Report
  expect(report.requirements.filter(({ status }) => status !== 'passed')).toEqual([])
  expect(report.verdict).toBe('conformant')
  expect(report.observations.filter(({ answer, default: byDefault }) => answer !== byDefault)).toEqual([])
  expect(report.seed).toBe(11)
  const names = ['exchanges.har', 'junit.xml', 'report.html', 'report.json', 'summary.md']
  expect(readdirSync(join(folder, 'tck-report')).toSorted()).toEqual(names)
  const bytes = names.map((name) => statSync(join(folder, 'tck-report', name)).size)
  const judged = [...report.requirements.flatMap(({ checks }) => checks), ...report.observations]
  expect(bytes.reduce((sum, size) => sum + size) / judged.length).toBeLessThan(2_800)
})
