import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { paintFor } from '../../reports/paint.ts'
import { UsageError } from '../command-error.ts'
import { exitCode } from '../exit-code.ts'
import { requireFolder } from '../files.ts'
import { kit } from '../kit.ts'
import { createLiveLine } from '../live-line.ts'
import type { SelfTestApi } from '../target/self-test.ts'
import type { SelftestOptions } from './command.ts'
import { findPossibleViolations, shrinkAll } from './laws.ts'
import { buildMatrix, tryAll } from './matrix.ts'
import { createProcesses, kitApis, type Processes } from './processes.ts'
import { renderText } from './render-text.ts'
import { type ApiScope, chooseScope } from './scope.ts'
import { describeTask, type SelfTestTask } from './task.ts'

/** Far more than any simulator needs, however slow the machine. */
const taskLimitMs = 600_000

/** Tests the laws, writes the kill matrix and returns the exit code. `apisModule` is as for `createProcesses`. */
export async function selftest(options: SelftestOptions, apisModule = kitApis) {
  const startedAt = new Date()
  const { apis } = (await import(apisModule)) as { readonly apis: readonly SelfTestApi[] }
  const scopes = apis.map((api) => chooseScope(api, options)).filter(({ requirements }) => requirements.length > 0)
  if (scopes.length === 0) {
    throw new UsageError(
      '`--only` matches no defect and no requirement.',
      'Run `copytrade-tck defects` or `copytrade-tck requirements` for the ids.',
    )
  }
  const total = scopes.reduce((sum, { profiles, defects }) => sum + 1 + profiles.length + defects.length, 0)
  await requireFolder(options.out, '`--out`')
  const processes = createProcesses(options.jobs, taskLimitMs, apisModule)
  const progress = createProgress(process.stderr, total)
  try {
    const tested = await Promise.all(scopes.map((scope) => test(scope, processes.run, progress.show)))
    progress.end()
    return await present(documentOf(tested, options, startedAt), options)
  } finally {
    progress.end()
    await processes.close()
  }
}

async function test(scope: ApiScope, run: Processes['run'], onDone: (task: SelfTestTask) => void) {
  const tried = await tryAll(scope, run, onDone)
  const matrix = buildMatrix(scope, tried)
  return { matrix, findings: await shrinkAll(findPossibleViolations(scope, matrix, tried), scope, run) }
}

/** The content of `selftest.json`. */
export type Selftest = ReturnType<typeof documentOf>

function documentOf(
  tested: readonly Awaited<ReturnType<typeof test>>[],
  { only, profiles, quick, seed }: SelftestOptions,
  startedAt: Date,
) {
  const findings = tested.flatMap((one) => one.findings)
  const combined = tested.flatMap(({ matrix }) => matrix.defects.filter((one) => one.combined !== null)).length
  return {
    schema: 'copytrade-tck/selftest@1' as const,
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
  return {
    show(task: SelfTestTask) {
      done += 1
      line?.show(`[${String(done).padStart(String(total).length)}/${total}] ${describeTask(task)}`)
    },
    end: () => line?.clear(),
  }
}
