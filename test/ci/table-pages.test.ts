import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { compareFiles } from '../../cli/compare/compare.ts'
import { writeFleet } from '../../cli/fleet/roll-up.ts'
import type { Fleet, FleetInstall } from '../../cli/fleet-document.ts'
import { kit } from '../../cli/kit.ts'
import { buildReport } from '../../reports/document.ts'
import type { Report } from '../../reports/report.ts'
import { passed, sampleRun } from '../../reports/sample-run.test-data.ts'
import { accessibilityProblems, browserForAll } from '../browser.ts'

const browser = browserForAll()
const inBrowser = test.skipIf(browser === null)
const dir = mkdtempSync(join(tmpdir(), 'table-pages-'))
afterAll(() => rmSync(dir, { recursive: true }))

const hostile = `<img src=x onerror="document.title='run'"> \u001b[2J\u202eevil`
const sample = sampleRun()
const now = buildReport({
  ...sample,
  target: { ...sample.target, plugin: { name: hostile, version: '1' } },
})
/** Everything passed, as fast as possible. */
const before = buildReport({
  ...sample,
  outcomes: sample.outcomes.map(({ check, answer }) => ({ ...passed(check), answer: answer && null })),
})

const file = (name: string) => join(dir, name)

/** Two fleets with one judged install each, and one that was not judged. */
async function writeFleetOf(report: Report, folder: string): Promise<string> {
  mkdirSync(file(`${folder}/one`), { recursive: true })
  writeFileSync(file(`${folder}/one/report.json`), JSON.stringify(report))
  const install: FleetInstall = {
    ...{ name: 'one', target: 'http://127.0.0.1:1', risk: 'read' as const, exitCode: 1, verdict: report.verdict },
    ...{ explanation: hostile, startedAt: report.startedAt, durationMs: 1, folder: 'one', plugin: null },
    statuses: Object.fromEntries(report.requirements.map(({ id, status }) => [id, status])),
    failures: [],
  }
  const fleet: Fleet = {
    ...{
      schema: 'copytrade-tck/fleet@1' as const,
      kit,
      startedAt: report.startedAt,
      durationMs: 1,
      exitCode: 1,
      shard: null,
    },
    missingShards: [{ index: 2, count: 2 }],
    requirements: report.requirements.map(({ id, clause, level }) => ({ id, clause, level })),
    installs: [install, { ...install, name: 'two', verdict: null, statuses: {}, folder: 'two' }],
  }
  await writeFleet(fleet, file(folder))
  return file(`${folder}/fleet.json`)
}

beforeAll(async () => {
  for (const [name, report] of Object.entries({ before, now })) {
    writeFileSync(file(`${name}.json`), JSON.stringify(report))
  }
  const fleets: readonly [string, string] = [await writeFleetOf(before, 'yesterday'), await writeFleetOf(now, 'today')]
  const compare = (paths: readonly [string, ...string[]], out: string) =>
    compareFiles(paths, { format: 'html', out: file(out) })
  const [old, fresh] = [file('before.json'), file('now.json')]
  expect(compare([old, fresh], 'two.html')).toBe(1)
  expect(compare([old, fresh, old], 'matrix.html')).toBe(1)
  expect(compare(fleets, 'fleets.html')).toBe(1)
})

const light = { colorScheme: 'light', viewport: { width: 1000, height: 800 } } as const
const dark = { colorScheme: 'dark', viewport: { width: 360, height: 800 } } as const

inBrowser.for([
  { name: 'two.html', look: dark, titles: ['Regressions', 'Checks that can no longer be judged'] },
  { name: 'matrix.html', look: light, titles: ['Requirements that failed or differ'] },
  { name: 'fleets.html', look: light, titles: ['one', 'Not judged both times'] },
  { name: 'today/fleet.html', look: dark, titles: ['Installs', 'Installs by clause', 'Failed requirements'] },
])('$name is readable, and shows text as text', async ({ name, look, titles }) => {
  if (browser === null) throw new Error('There is no browser.')
  const context = await (await browser).newContext(look)
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const problems: string[] = []
  page.on('console', (message) => problems.push(message.text()))
  await page.goto(String(pathToFileURL(file(name))))
  const headings = await page.locator('h2').allInnerTexts()
  for (const title of titles) expect(headings).toContainEqual(expect.stringMatching(new RegExp(`^${title}\\b`)))
  expect(await accessibilityProblems(page)).toEqual([])
  expect(problems).toEqual([])
  const text = readFileSync(file(name), 'utf8')
  expect(text).toContain('&lt;img src=x')
  for (const raw of ['<img', '\u001b', '\u202e']) expect(text).not.toContain(raw)
})
