import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildReport } from './document.ts'
import { exchangeMaker, failed, sampleRun } from './sample-run.test-data.ts'
import { writeReports } from './write.ts'

let dir: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'report-'))
})
afterEach(() => rm(dir, { recursive: true }))

const names = ['exchanges.har', 'junit.xml', 'report.html', 'report.json', 'summary.md']

test('every rendering is written into a new folder, and its path is returned', async () => {
  const report = buildReport(sampleRun())
  const paths = await writeReports(report, join(dir, 'new', 'folder'))
  expect((await readdir(join(dir, 'new', 'folder'))).sort()).toEqual(names)
  expect(Object.values(paths).sort()).toEqual(names.map((name) => join(dir, 'new', 'folder', name)))
  expect(JSON.parse(await readFile(paths.json, 'utf8'))).toEqual(report)
})

test('files of an earlier run are replaced, and no temporary file stays', async () => {
  await writeReports(buildReport(sampleRun(1)), dir)
  const { json } = await writeReports(buildReport(sampleRun(2)), dir)
  expect(JSON.parse(await readFile(json, 'utf8')).seed).toBe(2)
  expect((await readdir(dir)).sort()).toEqual(names)
})

test('neither report.json nor the HAR file contains control characters or characters that change the text direction', async () => {
  const hostile = '\u009b2J\u202e\u2028'
  const exchanges = exchangeMaker(3)(1).map((exchange) => ({
    ...exchange,
    response: { status: 200, headers: [], body: hostile },
  }))
  const outcomes = [{ ...failed('CT-106', exchanges), message: hostile }]
  const report = buildReport(
    sampleRun(1, { outcomes, target: { kind: 'url', url: `http://host/${hostile}`, plugin: null } }),
  )
  const { json, har } = await writeReports(report, dir)
  expect(JSON.parse(await readFile(json, 'utf8'))).toEqual(report)
  for (const path of [json, har]) {
    expect(await readFile(path, 'utf8')).not.toMatch(/[\u0080-\u009f\u2028-\u202e\u2066-\u2069]/)
  }
})
