import { NoAnswer } from '../../suites/http/answer.ts'
import { createClient } from '../../suites/http/client.ts'
import { createRecorder } from '../../suites/http/recorder.ts'
import { openLedger, type RecordedRun, readLedger } from '../../suites/safety/ledger.ts'
import { differences } from '../../suites/safety/list-state.ts'
import { CannotPutBack } from '../../suites/safety/put-back.ts'
import { createRedactor } from '../../suites/safety/redact.ts'
import { type Restored, restoreList } from '../../suites/safety/restore.ts'
import { StepFailed, StepSkipped } from '../../suites/targets/live/step.ts'
import { FailedExpectation } from '../../suites/vocabulary/failure.ts'
import { describeRule } from '../../suites/vocabulary/rule.ts'
import { NotGivenBackError, UnreachableError, UsageError } from '../command-error.ts'
import { exitCode } from '../exit-code.ts'
import type { LifeCycleFlags } from '../life-cycle/options.ts'
import { takeBack } from '../life-cycle/take-back.ts'
import { type KeyFlags, readKey } from '../read-key.ts'

export interface RestoreFlags extends KeyFlags, LifeCycleFlags {
  readonly ledger: string
  readonly timeout: number
  readonly patience: number
}

/**
 * Takes the rules of an interrupted run out of the list again and returns the exit code.
 *
 * @throws {UsageError} for a file that is no ledger, or a missing key
 * @throws {UnreachableError} when the target does not answer, or refuses the key
 */
export async function restore(flags: RestoreFlags): Promise<number> {
  const run = readRun(flags.ledger)
  const { opening } = run
  if (run.closed) {
    process.stdout.write(`Nothing to do: the run of ${opening.startedAt} left ${opening.target} clean.\n`)
    return exitCode.conformant
  }
  const key = readKey(flags)
  if (key === null) {
    throw new UsageError('There is no key.', 'Set TCK_API_KEY, or give --api-key-file <path> or --api-key <key>.')
  }
  const redact = createRedactor([key])
  const ledger = openLedger(flags.ledger, redact)
  const client = createClient({
    baseUrl: opening.target,
    timeoutMs: flags.timeout,
    pace: async () => undefined,
    recorder: createRecorder(redact),
  })
  const { logins, before } = opening
  const returned = await takeBack({ run, key, flags, ledger, redact }).catch((error: unknown) =>
    explain(error, opening.target, redact),
  )
  const options = { client, key, logins, before, ledger, patienceMs: flags.patience }
  const restored = await restoreList(options).catch((error: unknown) => explain(error, opening.target, redact))
  const lost = returned?.lost.length ?? 0
  if (restored.left.length + lost === 0) ledger.append({ event: 'closed' })
  ledger.close()
  process.stdout.write(`${describe(run, restored)}\n`)
  return restored.left.length + lost === 0 ? exitCode.conformant : exitCode.harmed
}

function readRun(file: string): RecordedRun {
  const run = readLedger(file)
  if (run !== null) return run
  throw new UsageError(
    `${file} is no ledger of a run.`,
    'It lies in the report folder and is called ledger-<target>.jsonl.',
  )
}

function explain(error: unknown, target: string, redact: (text: string) => string): never {
  if (error instanceof StepFailed || error instanceof StepSkipped || error instanceof CannotPutBack) {
    throw new NotGivenBackError(
      `${target} could not be given back: ${redact(error.message)}.`,
      'Mend that, or give the hook anew, and run the command again.',
      { cause: error },
    )
  }
  if (error instanceof NoAnswer) {
    throw new UnreachableError(
      `${target} cannot be reached: ${redact(error.message)}.`,
      'Run the command again when it is back.',
      {
        cause: error,
      },
    )
  }
  if (error instanceof FailedExpectation) {
    throw new UnreachableError(
      `${target} does not show its rules: ${redact(error.actual)}.`,
      'Check the key: TCK_API_KEY, --api-key-file or --api-key.',
    )
  }
  throw error
}

function describe({ opening, unconfirmed }: RecordedRun, { list, left, troubles }: Restored): string {
  const others = list.filter((rule) => !left.includes(rule))
  const changes = differences(opening.before, others)
  const total = opening.before.length
  return [
    ...left.map((rule) => `still there: ${describeRule(rule)}`),
    ...troubles,
    ...changes.map((change) => `since the run began: ${change}`),
    ...(unconfirmed !== null && changes.some((change) => change.startsWith('missing'))
      ? [
          'The run was cut off in the middle of a removal. If nobody else removed the missing rule, that removal may have hit it: look, and add it again with POST /api/rules.',
        ]
      : []),
    left.length > 0
      ? `${left.length} rules of the kit could not be taken away; run the command again in a quiet moment.`
      : `No rule of the kit is left; ${changes.length} changes to the ${total} rules that were there before.`,
  ].join('\n')
}
