// write-report.ts report|bytes <folder> [exchanges]: writes a report with `exchanges` in each of 300 requirements into
// the folder, or only the bytes of an existing report, and prints how long it took. The command line has no such step
// of its own, so this calls the function directly.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { buildReport, type CheckEntry } from '../../reports/document.ts'
import { requirements as samples } from '../../reports/sample-requirements.test-data.ts'
import { exchangeMaker, passed, sampleRun } from '../../reports/sample-run.test-data.ts'
import { writeReports } from '../../reports/write.ts'

const [, , what, folder = '', exchanges = '10'] = process.argv
const work = what === 'bytes' ? await readBytes() : sampleReport()
const startedAt = performance.now()
await work()
process.stdout.write(JSON.stringify({ seconds: (performance.now() - startedAt) / 1000 }))

function sampleReport(): () => Promise<unknown> {
  const make = exchangeMaker(1)
  const requirements = Array.from({ length: 25 }, (_, copy) =>
    samples.map((sample) => ({ ...sample, id: `${sample.id}-${copy}` })),
  ).flat()
  const checks = requirements.map(
    ({ id, statement }, index): CheckEntry => ({ id: `CT-${1000 + index}`, title: statement, requirement: id }),
  )
  const outcomes = checks.map(({ id }) => passed(id, make(Number(exchanges))))
  const report = buildReport(sampleRun(1, { requirements, questions: [], checks, outcomes }))
  return () => writeReports(report, folder)
}

async function readBytes(): Promise<() => Promise<unknown>> {
  const names = await readdir(folder)
  const files = await Promise.all(names.map(async (name) => ({ name, bytes: await readFile(`${folder}/${name}`) })))
  return async () => {
    for (const { name, bytes } of files) await writeFile(`${folder}/${name}`, bytes)
  }
}
