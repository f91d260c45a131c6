import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { watch } from 'chokidar'
import type { PlannedCheck } from '../../suites/runner/plan.ts'
import { UnreachableError, UsageError } from '../command-error.ts'
import { Interruption } from '../interruption.ts'
import type { RunOptions } from '../options/run-options.ts'
import { readReport } from '../report/read-report.ts'
import { apis } from '../target/apis.ts'
import { notice } from '../target/notice.ts'
import { failedIn } from './failed.ts'
import { run } from './run.ts'

/**
 * Judges the server again whenever its files change, first what failed. A change ends the round. Returns the exit code
 * of the last round. @throws {UsageError} when the files cannot be watched
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
      notice(options, `\nWatching ${path === '.' ? 'this folder' : path}. Press Enter to run again, Ctrl-C to end.\n`)
      await once(end, 'abort')
    }
    if (signal.aborted) return round.code
    notice(options, `\n${change.reason.message}. Running again${failed.size === 0 ? '' : ', first what failed'}.\n`)
  }
}

/** Runs once. Errors do not end the watching: the next change may fix the server. */
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

/** Checks that run alone stay at the end, since the others would have to wait for them. */
const runAlone = new Set(
  apis.flatMap(({ cases }) => cases).flatMap(({ id, alone, concludes }) => (alone || concludes ? id : [])),
)

function failedFirst(planned: readonly PlannedCheck[], failed: ReadonlySet<string>): readonly PlannedCheck[] {
  const isFirst = ({ id }: PlannedCheck) => failed.has(id) && !runAlone.has(id)
  return [...planned.filter(isFirst), ...planned.filter((check) => !isFirst(check))]
}

/** Editors and compilers write several files at once. */
const quietMs = 100

/** Files that tools write next to the code of a server. */
const ignored = /^(\..*|node_modules|__pycache__)$/

/** Watches standard input and files, except hidden ones, packages and the report. @throws {UsageError} */
async function watchFiles(path: string, report: string) {
  const [root, out] = [resolve(path), resolve(report)]
  const hint = 'Give the file or folder with the code of the server, as in `--watch src`.'
  if (!existsSync(root)) throw new UsageError(`\`--watch\`: ${path} does not exist.`, hint)
  let round = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const end = (reason: string) => round.abort(new Interruption(reason))
  const files = watch(root, {
    ignoreInitial: true,
    ignored: (name) => name === out || (name !== root && ignored.test(basename(name))),
  })
  try {
    await once(files, 'ready')
  } catch (cause) {
    await files.close()
    throw new UsageError(`${path} cannot be watched: ${(cause as Error).message}.`, hint, { cause })
  }
  files.on('all', (_, name) => {
    clearTimeout(timer)
    timer = setTimeout(end, quietMs, `${relative('', name)} changed`)
  })
  files.on('error', (error) => process.stderr.write(`Not all files are watched: ${(error as Error).message}\n`))
  const lines = createInterface({ input: process.stdin }).on('line', () => end('Enter was pressed'))
  return {
    /** Aborted by the next change of a file, or by Enter. The reason says which. */
    next() {
      if (round.signal.aborted) round = new AbortController()
      return round.signal
    },
    async [Symbol.asyncDispose]() {
      clearTimeout(timer)
      lines.close()
      await files.close()
    },
  }
}
