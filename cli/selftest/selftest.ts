import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { paintFor } from '../../reports/paint.ts'
import { UsageError } from '../command-error.ts'
import { exitCode } from '../exit-code.ts'
import { requireFolder } from '../files.ts'
import { kit } from '../kit.ts'
import { createLiveLine } from '../live-line.ts'
import type { SelfTestApi } from '../target/self-test.ts'
import { apis as allApis } from './apis.ts'
import type { SelftestOptions } from './command.ts'
import { detectionOf, tryInRunScopes } from './detection.ts'
import type { Selftest } from './document.ts'
import { findPossibleViolations } from './laws.ts'
import { buildMatrix, type Done, type DoneWithDefect, killsOf } from './matrix.ts'
import { type ApiScope, chooseScope, planTasks, type TaskPlan } from './plan.ts'
import { createProcesses, type Processes } from './processes.ts'
import { renderText } from './render-text.ts'
import { shrinkAll } from './shrink.ts'
import { describeTask, type SelfTestTask } from './task.ts'

/** Far more than any simulator needs, however slow the machine. */
const taskLimitMs = 600_000

const apisModule = new URL('./apis.js', import.meta.url).href

/** The registries, and the module that exports them as `apis`, for the processes. */
export interface Registries {
  readonly apis: readonly SelfTestApi[]
  readonly apisModule: string
}

/** Tests the laws, writes the kill matrix and returns the exit code. */
export async function selftest(
  options: SelftestOptions,
  registries: Registries = { apis: allApis, apisModule },
): Promise<number> {
  const startedAt = new Date()
  const scopes = registries.apis
    .map((api) => chooseScope(api, options))
    .filter(({ requirements }) => requirements.length > 0)
  if (scopes.length === 0) {
    throw new UsageError(
      '`--only` matches no defect and no requirement.',
      'Run `copytrade-tck defects` or `copytrade-tck requirements` for the ids.',
    )
  }
  const work = scopes.map((scope) => ({ scope, plan: planTasks(scope, options) }))
  const total = work.reduce((sum, { plan }) => sum + plan.planned.length, 0)
  await requireFolder(options.out, '`--out`')
  const processes = createProcesses({ jobs: options.jobs, apisModule: registries.apisModule, taskLimitMs })
  const progress = createProgress(process.stderr, total)
  try {
    const tested = await Promise.all(work.map((one) => test({ ...one, options, processes, progress })))
    progress.end()
    return await present(documentOf(tested, work, options, startedAt), options)
  } finally {
    progress.end()
    await processes.close()
  }
}

interface Testing {
  readonly scope: ApiScope
  readonly plan: TaskPlan
  readonly options: SelftestOptions
  readonly processes: Processes
  readonly progress: ReturnType<typeof createProgress>
}

async function test({ scope, plan, options, processes, progress }: Testing) {
  const done = await Promise.all(
    plan.planned.map(async (planned): Promise<Done> => {
      const first = { ...planned, results: await processes.run(planned.task), alone: [] }
      progress.show(planned.task)
      return first.purpose === 'row' ? judgeAlone({ ...first, scope, processes }) : first
    }),
  )
  const detection = options.quick ? [] : detectionOf(scope, await tryInRunScopes(scope, done, processes))
  const matrix = buildMatrix(scope, plan, done, detection)
  const findings = await shrinkAll(findPossibleViolations(scope, matrix, done), {
    scope,
    seed: options.seed,
    processes,
  })
  return { matrix, findings }
}

/** Judges each requirement that missed the defect again on its own server. */
async function judgeAlone({
  scope,
  processes,
  ...done
}: DoneWithDefect & Pick<Testing, 'scope' | 'processes'>): Promise<Done> {
  const again = killsOf(scope, done).missedBy.map((id) => processes.run({ ...done.task, requirements: [id] }))
  return { ...done, alone: (await Promise.all(again)).flat() }
}

function documentOf(
  tested: readonly Awaited<ReturnType<typeof test>>[],
  work: readonly { readonly plan: TaskPlan }[],
  { only, profiles, quick, seed }: SelftestOptions,
  startedAt: Date,
): Selftest {
  const findings = tested.flatMap((one) => one.findings)
  const combined = work.flatMap(({ plan }) => plan.planned.filter(({ purpose }) => purpose === 'combined')).length
  return {
    schema: 'copytrade-tck/selftest@1',
    kit,
    seed,
    startedAt: startedAt.toISOString(),
    durationMs: Date.now() - startedAt.getTime(),
    scope: { only, profiles, combined, quick },
    passed: findings.length === 0,
    findings,
    apis: tested.map(({ matrix }) => matrix),
  }
}

async function present(document: Selftest, { out, json }: SelftestOptions): Promise<number> {
  const text = `${JSON.stringify(document, null, 2)}\n`
  const path = join(out, 'selftest.json')
  await writeFile(path, text)
  process.stdout.write(json ? text : `${renderText(document, paintFor(process.stdout))}\nKill matrix: ${path}\n`)
  return document.passed ? exitCode.conformant : exitCode.nonConformant
}

/** One line that is rewritten on a terminal; nothing elsewhere. */
function createProgress(stream: NodeJS.WriteStream, total: number) {
  const line = stream.isTTY ? createLiveLine(stream) : null
  let done = 0
  let ended = false
  return {
    show(task: SelfTestTask) {
      done += 1
      line?.show(`[${String(done).padStart(String(total).length)}/${total}] ${describeTask(task)}`)
    },
    end() {
      if (!ended) line?.clear()
      ended = true
    },
  }
}
