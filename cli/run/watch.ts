import { once } from 'node:events'
import { join } from 'node:path'
import type { PlannedCheck } from '../../suites/runner/plan.ts'
import { UnreachableError } from '../command-error.ts'
import type { RunOptions } from '../options/run-options.ts'
import { readReport } from '../report/read-report.ts'
import { runCases } from '../target/apis.ts'
import { notice } from '../target/notice.ts'
import { failedIn } from './failed.ts'
import { run } from './run.ts'
import { watchFiles } from './watch-files.ts'

/**
 * Judges the server again whenever its files change: first the checks that failed, then the rest.
 * A change during a round ends it. Returns the exit code of the last round when the signal comes.
 *
 * @throws {UsageError} when the files cannot be watched
 */
export async function watchAndRun(path: string, options: RunOptions, signal: AbortSignal): Promise<number> {
  await using changes = await watchFiles(path, options.out)
  let failed: ReadonlySet<string> = new Set()
  for (;;) {
    const change = changes.next()
    const end = AbortSignal.any([signal, change])
    const round = await runRound(options, failed, end)
    failed = round.failed
    if (!end.aborted) {
      notice(options, `\nWatching ${path}. Press Enter to run again, Ctrl-C to end.\n`)
      await once(end, 'abort')
    }
    if (signal.aborted) return round.code
    notice(options, `\n${change.reason.message}. Running again${failed.size === 0 ? '' : ', first what failed'}.\n`)
  }
}

/** One run. A server that an edit has broken is a result; the next change may fix it. */
async function runRound(options: RunOptions, failed: ReadonlySet<string>, signal: AbortSignal) {
  try {
    const code = await run(options, signal, (planned) => failedFirst(planned, failed))
    return { code, failed: failedIn(readReport(join(options.out, 'report.json')), failed) }
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error
    if (!signal.aborted) process.stderr.write(`${error.message}\n${error.hint}\n`)
    return { code: error.exitCode, failed }
  }
}

/** Checks that run alone stay at the end, which the others would otherwise wait for. */
const runAlone = new Set(runCases.flatMap(({ id, alone, concludes }) => (alone || concludes ? id : [])))

function failedFirst(planned: readonly PlannedCheck[], failed: ReadonlySet<string>): readonly PlannedCheck[] {
  const isFirst = ({ id }: PlannedCheck) => failed.has(id) && !runAlone.has(id)
  return [...planned.filter(isFirst), ...planned.filter((check) => !isFirst(check))]
}
