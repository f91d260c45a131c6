import { fileURLToPath } from 'node:url'
import type { TestCase } from 'vitest/node'
import { createVitest } from 'vitest/node'
import { notRun } from './not-run.ts'
import type { Outcome } from './outcome.ts'
import type { SuiteSetup } from './suite-setup.ts'

export interface SuiteRun {
  readonly setup: SuiteSetup
  /** The most that one check may take. */
  readonly checkTimeoutMs: number
  /** Told of each check as it ends. */
  readonly onOutcome: (outcome: Outcome) => void
  /** Ends the run after the check that is running. */
  readonly signal: AbortSignal
}

// Compiled, this file ends in .js, and so does the suite.
const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
const suiteFile = fileURLToPath(new URL(`./plugin.suite.${extension}`, import.meta.url))
const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Runs the suite with Vitest in a thread of this process and returns the outcomes in the order in
 * which the checks ended. Throws if Vitest itself fails, or if a check did not report.
 */
export async function runSuite({ setup, checkTimeoutMs, onOutcome, signal }: SuiteRun): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = []
  const onTestCaseResult = (testCase: TestCase) => {
    const outcome = testCase.meta().outcome ?? unreported(testCase)
    // A run that is broken off reports its checks once more.
    if (outcome === null || outcomes.some(({ check }) => check === outcome.check)) return
    outcomes.push(outcome)
    onOutcome(outcome)
  }
  const keepOwnHandlers = ownSignalHandlers()
  const vitest = await createVitest(
    'test',
    {
      root,
      config: false,
      watch: false,
      include: [suiteFile],
      exclude: [],
      pool: 'threads',
      isolate: false,
      maxWorkers: 1,
      testTimeout: checkTimeoutMs,
      hookTimeout: checkTimeoutMs,
      reporters: [{ onTestCaseResult }],
      // Compiled, the suite is plain JavaScript that Node loads by itself, twice as fast as Vite.
      experimental: { viteModuleRunner: extension === 'ts', nodeLoader: false },
      // Ctrl-C and exit codes are the command's business.
      disableConsoleIntercept: true,
      // Nothing may be written into an installed package.
      cache: false,
      provide: { setup },
    },
    { logLevel: 'error' },
  )
  keepOwnHandlers()
  // Nobody would hear an end that was asked for while Vitest was being loaded.
  if (signal.aborted) {
    await vitest.close()
    return outcomes
  }
  const cancel = () => void vitest.cancelCurrentRun('keyboard-input')
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const { unhandledErrors, testModules } = await vitest.start()
    const [error] = [...unhandledErrors, ...testModules.flatMap((module) => module.errors())]
    if (error !== undefined && !signal.aborted) throw error instanceof Error ? error : toError(error)
    return outcomes
  } finally {
    signal.removeEventListener('abort', cancel)
    const exitCode = process.exitCode
    await vitest.close()
    // Vitest sets the exit code for failed tests; here a failed check is a result, not a failure.
    process.exitCode = exitCode
  }
}

/**
 * Vitest ends the process a millisecond after Ctrl-C or SIGTERM. Whoever judges a live server must
 * be able to clean up first: the handlers that are there now stay, those that are added go.
 */
function ownSignalHandlers(): () => void {
  const names = ['SIGINT', 'SIGTERM'] as const
  const before = new Map(names.map((name) => [name, process.listeners(name)]))
  return () => {
    for (const name of names) {
      const added = process.listeners(name).filter((listener) => !before.get(name)?.includes(listener))
      for (const listener of added) process.off(name, listener)
    }
  }
}

function toError(error: unknown): Error {
  const { message = String(error), stack } = error as { message?: string; stack?: string }
  return Object.assign(new Error(message), stack === undefined ? {} : { stack })
}

/** A check that ended without an outcome was cut off by the time limit of Vitest, or by Ctrl-C. */
function unreported(testCase: TestCase): Outcome | null {
  const result = testCase.result()
  if (result.state === 'skipped' || result.state === 'pending') return null
  const [check = testCase.name] = testCase.name.split(' ')
  return notRun(check, 'error', result.errors?.map(({ message }) => message).join('\n') ?? 'the check did not report')
}
