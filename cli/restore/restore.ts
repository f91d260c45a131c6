import { dirname } from 'node:path'
import { createRedactor } from '../../http/redact.ts'
import { visibleLine } from '../../reports/visible.ts'
import { FailedExpectation } from '../../suites/assertions/failure.ts'
import { createClient } from '../../suites/client/client.ts'
import { createRecorder } from '../../suites/client/recorder.ts'
import { NoResponse } from '../../suites/client/response.ts'
import { proxySecrets, type Transport } from '../../suites/client/transport.ts'
import { openLedger, type RecordedRun, readLedger } from '../../suites/safety/ledger.ts'
import { ownByRecord } from '../../suites/safety/ownership.ts'
import { removePrivateFolder } from '../../suites/safety/private-folder.ts'
import { restoreList } from '../../suites/safety/restore.ts'
import { RuleNotRestored } from '../../suites/safety/restore-rules.ts'
import { StepFailed, StepSkipped } from '../../suites/targets/live/step.ts'
import { ServerNotRestoredError, UnreachableError, UsageError } from '../command-error.ts'
import { exitCode } from '../exit-code.ts'
import { waitingLine } from '../life-cycle/clean-up-lines.ts'
import { restoreLeasedServer } from '../life-cycle/restore-leased-server.ts'
import type { LifeCycleFlags } from '../options/life-cycle-options.ts'
import { type KeyFlags, readKey } from '../options/read-key.ts'
import { remedyFor, warningsAbout } from '../transport/explain.ts'
import { resolveTransport, type TransportFlags } from '../transport/resolve.ts'
import { describe, rulesLostInRun } from './describe.ts'

export interface RestoreFlags extends KeyFlags, TransportFlags, LifeCycleFlags {
  readonly ledger: string
  readonly timeout: number
  readonly cleanupTimeout: number
  readonly patience?: number
}

/**
 * Removes the rules of an interrupted run from the list and returns the exit code.
 *
 * @throws {UsageError} for a file that is not a ledger, or a missing key
 * @throws {UnreachableError} when the target does not respond, or rejects the key
 */
export async function restore(flags: RestoreFlags): Promise<number> {
  const run = readRun(flags.ledger)
  const { opening } = run
  if (run.closed && run.lost.length + run.possiblyLost.length === 0) {
    process.stdout.write(`Nothing to do: the run of ${opening.startedAt} left ${opening.target} clean.\n`)
    return exitCode.conformant
  }
  const key = readKey(flags)
  if (key === null) {
    throw new UsageError(
      'The key is missing.',
      'Set `TCK_API_KEY`, or give `--api-key-file <path>` or `--api-key <key>`.',
    )
  }
  const transport = transportFor(opening, flags)
  const redact = createRedactor([key, ...proxySecrets(transport)])
  for (const line of warningsAbout(opening.target, transport)) process.stderr.write(`${line}\n`)
  const ledger = openLedger(flags.ledger, redact)
  const client = createClient({
    baseUrl: opening.target,
    transport,
    timeoutMs: flags.timeout,
    pace: async () => undefined,
    recorder: createRecorder(redact),
  })
  const reached = { target: opening.target, transport, redact }
  const returned = await restoreLeasedServer({ run, key, flags, transport, ledger, redact })
    .catch((error: unknown) => explain(error, reached))
    // Last, because the last hook of the run may still need its files.
    .finally(() => removePrivateFolders(run, flags.ledger))
  const timeoutMs = flags.patience ?? flags.cleanupTimeout
  const onWait = () => process.stderr.write(waitingLine(timeoutMs))
  const options = { client, key, isOwn: ownByRecord(run), ledger, timeoutMs, onWait }
  const restored = await restoreList(options).catch((error: unknown) => explain(error, reached))
  const left = restored.left.length + (returned?.lost.length ?? 0)
  if (left === 0) ledger.append({ event: 'closed' })
  ledger.close()
  // The ledger now also holds what the clean-up did to foreign rules.
  const whole = readRun(flags.ledger)
  process.stdout.write(`${describe(whole, restored)}\n`)
  return left + rulesLostInRun(whole, restored).length === 0 ? exitCode.conformant : exitCode.harmed
}

/** Removes the files with the key that a killed run has left. */
function removePrivateFolders({ privateFolders }: RecordedRun, ledgerFile: string): void {
  for (const { folder } of privateFolders) removePrivateFolder(dirname(ledgerFile), folder)
}

function readRun(file: string): RecordedRun {
  const run = readLedger(file)
  if (run?.opening.schema === 'copytrade-tck/ledger@1') return run
  throw new UsageError(
    `${file} is not the ledger of a run.`,
    'Give the file `ledger-<target>.jsonl` from the report folder.',
  )
}

/** The authorities of the run are in its ledger; `--insecure` must be given again. */
function transportFor({ target, ca }: RecordedRun['opening'], flags: RestoreFlags): Transport {
  const transport = resolveTransport(target, flags, process.env)
  return { ...transport, ca: transport.ca ?? (transport.insecure ? null : (ca ?? null)) }
}

interface Reached {
  readonly target: string
  readonly transport: Transport
  readonly redact: (text: string) => string
}

function explain(error: unknown, { target, transport, redact }: Reached): never {
  if (error instanceof StepFailed || error instanceof StepSkipped || error instanceof RuleNotRestored) {
    throw new ServerNotRestoredError(
      `${target} could not be restored: ${redact(error.message)}.`,
      'Fix the problem, or give another hook command, and run `copytrade-tck restore` again.',
      { cause: error },
    )
  }
  if (error instanceof NoResponse) {
    throw new UnreachableError(
      `${target} cannot be reached: ${visibleLine(redact(error.message))}.`,
      remedyFor(error.cause, transport, 'Run the command again when the target can be reached.'),
      { cause: error },
    )
  }
  if (error instanceof FailedExpectation) {
    throw new UnreachableError(
      `${target} did not return its rules: ${visibleLine(redact(error.actual))}.`,
      'Check the key: `TCK_API_KEY`, `--api-key-file` or `--api-key`.',
    )
  }
  throw error
}
