import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { programOrSkip } from '../fixtures/programs.ts'
import type { Report } from '../reports/report.ts'
import { command, emptyFolder, main } from './command.ts'
import { conformingServers } from './conforming-servers.ts'

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

// The run above needs the same port. The tests of a file run one after the other.
describe('the default port', () => {
  test.for(conformingServers)(
    'the foreign server $name listens on the default port',
    async ({ name, run }, { skip }) => {
      if (name === 'threaded') programOrSkip('python3', skip)
      const only = ['--only', 'plugin.limits.default-port']
      const { stdout } = await command(['run', '--reporter', 'list', '--exec', `exec ${run}`, ...only])
      expect(stdout).toMatch(/^passed +CT-\d+ .* responds on port 8443$/m)
    },
  )

  const judging = ['run', '--reporter', 'list', '--only', 'plugin.limits.default-port', '--exec']

  test('a server with another default port fails, although it listens on TCK_PORT', async () => {
    const wrong = `exec "${process.execPath}" "${main}" simulate --defect limits.wrong-default-port`
    const { code, stdout } = await command([...judging, wrong])
    expect(stdout).toMatch(/^failed +CT-921 /m)
    expect(code).toBe(1)
  })

  test('a server that starts more slowly on its default port is not accused', async () => {
    const [plain] = conformingServers
    const slow = `grep -q API_Port "$TCK_PARAMETERS" || sleep 2.5; exec ${plain?.run}`
    const { code, stdout } = await command([...judging, slow])
    expect(code, stdout).toBe(0)
  })

  test('for a server that takes its port only from TCK_PORT, the default port is not judged', async () => {
    const [plain] = conformingServers
    const { code, stdout } = await command([...judging, `test -n "$TCK_PORT" && exec ${plain?.run}`])
    expect(stdout).toMatch(/^not-applicable +CT-921 .*API_Port/m)
    expect(code).toBe(3)
  })
})
