import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type onTestFinished, test } from 'vitest'
import { seed, someOf } from '../../fixtures/test-size.ts'
import type { Report } from '../../reports/report.ts'
import { pluginDefects } from '../../simulator/plugin/defects/index.ts'
import { pluginRequirements } from '../../spec/plugin/requirements.ts'
import { publicCopySyntax } from '../../suites/model/copy-syntax.ts'
import { command, emptyFolder, main } from '../command.ts'
import { conformingServers } from '../conforming-servers.ts'
import { type SupervisedStep, startSupervised, supervisedKey } from '../supervised-server.ts'

/** The simulator and servers that share no code with it, each as a shell command. */
const servers = [
  { name: 'simulator', run: `"${process.execPath}" "${main}" simulate --capacity 64` },
  ...conformingServers.map(({ name, run }) => ({ name, run: `CAPACITY=64 ${run}` })),
]

/** The ways to reach a server that the kit did not start: without shell hooks, and with those for a restart. */
const hookSets: readonly (readonly Exclude<SupervisedStep, 'kill'>[])[] = [
  [],
  ['restart'],
  ['restart', 'set-parameters', 'delete-rules-file'],
  ['stop', 'start', 'set-parameters', 'delete-rules-file'],
]

type OnEnd = typeof onTestFinished

/** Judges a server with some hooks. Returns what must not happen: that it is accused, or is not left as found. */
async function judge(run: string, hooks: (typeof hookSets)[number], more: readonly string[], onEnd: OnEnd) {
  const server = await startSupervised(onEnd, run)
  const list = await server.list()
  const cwd = emptyFolder(onEnd)
  const common = ['run', '--target', server.url, '--risk', 'exclusive', '--parameters', server.before, '--strict']
  const args = [
    ...common,
    '--capacity',
    '64',
    '--seed',
    `${seed}`,
    ...hooks.flatMap((step) => server.hook(step)),
    ...more,
  ]
  const { code, stdout, stderr } = await command(args, { env: { TCK_API_KEY: supervisedKey }, cwd, onEnd })
  const file = join(cwd, 'tck-report/report.json')
  if (!existsSync(file)) throw new Error(`the run ended with ${code}: ${stdout}${stderr}`)
  const { requirements } = JSON.parse(readFileSync(file, 'utf8')) as Report
  const checks = requirements.flatMap((requirement) => requirement.checks)
  const statuses = checks.map(({ id, status, message }) => `${id} ${status}${message === null ? '' : `: ${message}`}`)
  return { code, said: stdout + stderr, statuses, isAsFound: (await server.list()) === list, requirements }
}

describe(`law 6, every door (TCK_SEED=${seed})`, () => {
  const pairs = servers.flatMap(({ name, run }) => hookSets.map((hooks) => ({ name, run, hooks })))
  const some = someOf(pairs, 1)

  test.concurrent.for(some)(
    'no check accuses the server $name with the hooks $hooks, and its list is as found',
    { timeout: 900_000 },
    async ({ run, hooks }, { expect, onTestFinished: onEnd }) => {
      const { code, said, statuses, isAsFound } = await judge(run, hooks, [], onEnd)
      expect(
        statuses.filter((text) => !/^\S+ (passed|out-of-scope|not-applicable)/.test(text)),
        said,
      ).toEqual([])
      expect(code, said).toBe(0)
      expect(statuses.filter((text) => text.endsWith(' passed')).length).toBeGreaterThan(100)
      expect(isAsFound).toBe(true)
    },
  )

  const wrong = someOf(
    pluginRequirements.map(({ id }) => id),
    6,
  ).map((requirement, at) => ({ requirement, hooks: hookSets[at % hookSets.length] ?? [] }))

  /** A guarded run reads the list before each write, which hides some defects. */
  const maxTried = 6

  test.concurrent.for(wrong)(
    'a defect that breaks $requirement is caught with the hooks $hooks, unless none is in scope',
    { timeout: 900_000 },
    async ({ requirement, hooks }, { expect, onTestFinished: onEnd }) => {
      const candidates = pluginDefects.filter(({ breaks }) => breaks.some((broken) => broken === requirement))
      // A server that loads no Copy_N is only judged for that if the syntax is stated.
      const only = ['--only', requirement, '--copy-syntax', publicCopySyntax]
      const passed: string[] = []
      for (const { id } of candidates.slice(0, maxTried)) {
        const { said, requirements } = await judge(`${servers[0]?.run} --defect ${id}`, hooks, only, onEnd)
        const judged = requirements.find((one) => one.id === requirement)
        expect(judged, said).toBeDefined()
        if (judged?.status !== 'passed') return
        passed.push(id)
      }
      expect(passed).toEqual([])
    },
  )
})
