import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'rolldown'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { resolveRunOptions } from '../cli/options/run-options.ts'
import { type Registries, run } from '../cli/run/run.ts'
import type { Report } from '../reports/report.ts'
import { startThread } from '../suites/runner/run-in-worker.ts'
import { emptyFolder } from './command.ts'
import { apis, notesApi } from './toy/api.ts'
import { startNotes } from './toy/notes.ts'

const folder = emptyFolder(afterAll)
const compiled = (name: string) => pathToFileURL(join(folder, `${name}.js`))
const toy: Registries = { apis, startThread: () => startThread(compiled('api').href, compiled('worker')) }

// The worker thread loads plain JavaScript.
beforeAll(() =>
  build({
    input: { worker: 'suites/runner/worker.ts', api: 'test/toy/api.ts' },
    platform: 'node',
    external: (id) => isBuiltin(id),
    output: { dir: folder },
    logLevel: 'silent',
  }),
)

/** Judges the notes API with the same run as any API. */
async function judgeNotes(flags: { readonly target?: string }) {
  const out = emptyFolder()
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  onTestFinished(() => void vi.restoreAllMocks())
  const options = resolveRunOptions({ ...flags, apiKey: 'any', risk: 'write', yes: true, out }, {})
  const code = await run(options, new AbortController().signal, undefined, toy)
  const report = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')) as Report
  return { code, verdict: report.verdict, statuses: report.requirements.map(({ id, status }) => [id, status]) }
}

test('an API that the kit does not know is judged by the same run', async () => {
  expect(await judgeNotes({})).toEqual({
    code: 0,
    verdict: 'conformant',
    statuses: [
      ['notes.post', 'passed'],
      ['notes.get', 'passed'],
      ['notes.missing', 'passed'],
    ],
  })
})

test('a defect in it fails only the requirement that it breaks', async () => {
  const { defects, judge } = await notesApi.selfTest()
  const [defect] = defects
  const outcomes = await judge({ answers: {}, defects, checks: notesApi.checks, seed: 1 })
  const failed = outcomes.filter(({ status }) => status === 'failed').map(({ check }) => check)
  expect(notesApi.checks.filter(({ id }) => failed.includes(id)).map(({ requirement }) => requirement)).toEqual(
    defect?.breaks,
  )
})

test('a running server of the toy API is judged', async () => {
  const { url, stop } = await startNotes((notes) => notes.size === 0)
  onTestFinished(stop)
  const { code, verdict, statuses } = await judgeNotes({ target: url })
  expect({ code, verdict }).toEqual({ code: 1, verdict: 'non-conformant' })
  expect(statuses).toContainEqual(['notes.get', 'failed'])
})
