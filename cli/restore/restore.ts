import { dirname } from 'node:path'
import { createRedactor } from '../../http/redact.ts'
import { plural } from '../../reports/phrases.ts'
import { visibleLine } from '../../reports/visible.ts'
import { FailedExpectation } from '../../suites/assertions/failure.ts'
import { createClient } from '../../suites/client/client.ts'
import { patient } from '../../suites/client/rate-limit.ts'
import { createRecorder } from '../../suites/client/recorder.ts'
import { NoResponse } from '../../suites/client/response.ts'
import { proxySecrets, type Transport } from '../../suites/client/transport.ts'
import { createPace } from '../../suites/client/wait.ts'
import { contentOf, type Draft, describeRule } from '../../suites/model/rule.ts'
import { type Restored, restoreList } from '../../suites/safety/clean-up.ts'
import { explainInterruption, explainRun, type RunExplanation, stillMissing } from '../../suites/safety/explain-run.ts'
import { openLedger, type RecordedRun, readLedger } from '../../suites/safety/ledger.ts'
import { unfinishedRuns } from '../../suites/safety/ledger-index.ts'
import { missingFrom } from '../../suites/safety/list-state.ts'
import { ownByRecord } from '../../suites/safety/ownership.ts'
import { removePrivateFolders } from '../../suites/safety/private-folder.ts'
import { isAlive } from '../../suites/safety/process-alive.ts'
import { reAdd, readList, recordPossiblyLost } from '../../suites/safety/protected-list.ts'
import { ServerNotRestoredError, UnreachableError, UsageError } from '../command-error.ts'
import { exitCode } from '../exit-code.ts'
import { readTextFile } from '../files.ts'
import {
  leavesServerChanged,
  leftAdvice,
  leftReason,
  limitAdvice,
  lossLines,
  orderLines,
  reAddAdvice,
  waitingLine,
} from '../life-cycle/clean-up-lines.ts'
import { type Connection, restoreLeasedServer } from '../life-cycle/restore-leased-server.ts'
import { readKey } from '../options/read-files.ts'
import { confirm, isCancel } from '../prompts.ts'
import { questionStream } from '../question-stream.ts'
import { isKeyRejected, remedyFor, restoreLine, warningsAbout } from '../transport/explain.ts'
import { resolveTransport } from '../transport/resolve.ts'
import type { RestoreFlags } from './command.ts'

/** Removes the rules of an interrupted run and returns the exit code. @throws {UsageError} or {UnreachableError} */
export async function restore(given: RestoreFlags): Promise<number> {
  const flags = { ...given, ledger: given.ledger ?? findLedger() }
  const run = readRun(flags.ledger)
  const { startedAt, target } = run.opening
  try {
    if (!isClean(run)) return await restoreRun(run, flags)
    process.stdout.write(`Nothing to do: the run of ${startedAt} left ${target} clean.\n`)
    return exitCode.conformant
  } finally {
    // The files hold the key. Last, because a hook of the run may still need them. Also without a key.
    removePrivateFolders(dirname(flags.ledger), flags.ledger)
  }
}

type FoundFlags = RestoreFlags & { readonly ledger: string }

/** @throws {UsageError} unless exactly one run of this user is unfinished */
function findLedger(): string {
  const { runs, unreadable } = unfinishedRuns()
  for (const { path } of unreadable) {
    process.stderr.write(`${path} cannot be read: an unfinished run of another account may be noted there.\n`)
  }
  const found = runs.flatMap(({ pid, file, run }) => (run === null || isAlive(pid) ? [] : [{ file, run }]))
  const [first, ...others] = found
  if (first === undefined) {
    throw new UsageError(
      'No unfinished run of this user was found.',
      'Give the file `ledger-<target>.jsonl` from the report folder of the run with `--ledger`.',
    )
  }
  if (others.length > 0) {
    const lines = found.map(({ file, run }) => `  ${file} (${run.opening.target}, ${run.opening.startedAt})`)
    throw new UsageError(
      `${found.length} runs are unfinished:\n${lines.join('\n')}`,
      'Give one of them with `--ledger`.',
    )
  }
  process.stdout.write(`Found the run of ${first.run.opening.startedAt} in ${first.file}.\n`)
  return first.file
}

/** Whether the list was restored. Rules that were added again may be at another position. */
function isClean(run: RecordedRun): boolean {
  const found = [run.lost, run.possiblyLost, run.restored]
  const isExact =
    found.every(({ length }) => length === 0) && !run.possiblyUnlisted && !run.reordered && !run.leftMissing
  return run.closed && isExact && run.unconfirmed === null
}

async function restoreRun(run: RecordedRun, flags: FoundFlags): Promise<number> {
  const { target } = run.opening
  const given = readKey(flags)
  if (given === null) {
    throw new UsageError(
      'The key is missing.',
      'Set `TCK_API_KEY`, or give `--api-key-file <path>` or `--api-key <key>`.',
    )
  }
  const { key } = given
  const transport = transportFor(run.opening, flags)
  const redact = createRedactor([key, ...proxySecrets(transport)])
  for (const line of warningsAbout(target, transport)) process.stderr.write(`${line}\n`)
  const ledger = openLedger(flags.ledger, redact)
  const pace = createPace(flags.maxRps ?? Number.POSITIVE_INFINITY)
  const connection = { key, transport, pace, redact, ledger }
  const result = await cleanUp(run, flags, connection).catch((error: unknown) =>
    explain(error, target, given.source, connection),
  )
  const { restored, returned } = result
  if (restored.left.length + (returned?.lost.length ?? 0) === 0) {
    ledger.append({ event: 'closed', missing: missingRules(result.run, restored).length > 0 })
  }
  ledger.close()
  const explanation = explainRun(result.run, run.opening.before, restored, returned?.reordered !== true)
  for (const line of describe(result, explanation)) process.stdout.write(`${shown(line, connection)}\n`)
  return explanation.isAsBefore ? exitCode.conformant : exitCode.harmed
}

/** `run` includes the clean-up, `command` continues it. */
async function cleanUp(run: RecordedRun, flags: FoundFlags, connection: Connection) {
  const { key, transport, pace, redact, ledger } = connection
  const { timeout, cleanupTimeout: timeoutMs } = flags
  const recorder = createRecorder(redact)
  const client = patient(createClient({ baseUrl: run.opening.target, transport, timeoutMs: timeout, pace, recorder }))
  const list = { client, key, ledger, isOwn: ownByRecord(run) }
  const returned = await restoreLeasedServer(run, flags, connection)
  if (run.unconfirmed !== null) {
    const removed = explainInterruption(run, await readList(list))
    if (removed !== null) recordPossiblyLost(removed.rules, removed.unlisted, list)
    ledger.append({ event: 'confirmed' })
  }
  const onWait = () => process.stderr.write(waitingLine(timeoutMs, 'restore'))
  const restored = await restoreList({ ...list, timeoutMs, onWait })
  // Reads the ledger again, which now has the writes of the clean-up.
  const whole = readRun(flags.ledger)
  const result = { run: whole, restored, returned, command: restoreLine(flags.ledger, transport) }
  if (!flags.reAdd) return { ...result, reAddProblem: null }
  const chosen = await chooseRules(missingRules(whole, restored), whole, connection)
  const onAdded = (rule: Draft) => process.stdout.write(`added again: ${shown(describeRule(rule), connection)}\n`)
  const reAddProblem = await reAdd(chosen, list, onAdded)
  return {
    ...result,
    ...{ run: readRun(flags.ledger), reAddProblem, restored: { ...restored, list: await readList(list) } },
  }
}

/** Missing rules from before the run, in order, then rules that another client added and the run lost. */
function missingRules(run: RecordedRun, { list }: Restored): readonly Draft[] {
  const { lost, possiblyLost } = stillMissing(run, list)
  const missing = missingFrom(list, run.opening.before).map(contentOf)
  return [...missing, ...missingFrom(missing, [...lost, ...possiblyLost])]
}

/** Asks for each rule; Ctrl-C adds none. Without a terminal all are added, since `--re-add` was given. */
async function chooseRules(rules: readonly Draft[], run: RecordedRun, connection: Connection) {
  if (!process.stdin.isTTY) return rules
  const chosen: Draft[] = []
  for (const rule of rules) {
    const isLost = missingFrom(run.lost, [rule]).length === 0
    const reason = isLost ? 'A request of the kit removed it.' : 'Another client may have removed it on purpose.'
    const message = `Add ${shown(describeRule(rule), connection)} again? ${reason}`
    const answer = await confirm({ message, initialValue: isLost, output: questionStream() })
    if (isCancel(answer)) return []
    if (answer) chosen.push(rule)
  }
  return chosen
}

function readRun(file: string): RecordedRun {
  const hint = 'Give the file `ledger-<target>.jsonl` from the report folder.'
  // Says why the file cannot be read: for `readLedger` a missing one has no run.
  readTextFile(file, { name: file, hint })
  const run = readLedger(file)
  if (run?.opening.schema === 'copytrade-tck/ledger@1') return run
  throw new UsageError(`${file} is not the ledger of a run.`, hint)
}

/** The certificates of `--ca` are in the ledger; `--insecure` must be given again. */
function transportFor({ target, ca }: RecordedRun['opening'], flags: RestoreFlags): Transport {
  const transport = resolveTransport(target, flags, process.env)
  return { ...transport, ca: transport.ca ?? (transport.insecure ? null : (ca ?? null)) }
}

/** A text of the server on one line, without secrets. */
function shown(text: string, { redact }: Pick<Connection, 'redact'>): string {
  return visibleLine(redact(text))
}

function explain(error: unknown, target: string, keySource: string, connection: Connection): never {
  const { transport, redact } = connection
  if (leavesServerChanged(error)) {
    const remedy = 'Fix the problem, or give another hook command, and run `copytrade-tck restore` again.'
    const message = `${target} could not be restored: ${redact(error.message)}.`
    throw new ServerNotRestoredError(message, remedy, { cause: error })
  }
  if (error instanceof NoResponse) {
    const remedy = remedyFor(error.cause, transport, 'Run the command again when the target can be reached.')
    const reason = shown(error.message, connection)
    throw new UnreachableError(`${target} cannot be reached: ${reason}.`, remedy, { cause: error })
  }
  if (error instanceof FailedExpectation) {
    throw new UnreachableError(
      `${target} did not return its rules: ${shown(error.actual, connection)}.`,
      rejectionRemedy(error.exchange?.response?.status, keySource),
    )
  }
  throw error
}

function rejectionRemedy(status: number | undefined, keySource: string): string {
  if (status !== undefined && isKeyRejected(status)) return `Check the key of \`${keySource}\`.`
  return status === 429 ? `${limitAdvice}.` : 'Run the command again when it does.'
}

type Result = Awaited<ReturnType<typeof cleanUp>>

function describe({ run, restored, reAddProblem, command }: Result, explanation: RunExplanation): readonly string[] {
  const { left, edits, stop } = restored
  const { lost, possiblyLost, byOthers } = explanation
  const reason = leftReason(restored)
  const isOnlyMissing =
    lost.length + possiblyLost.length === 0 && byOthers.some((change) => change.startsWith('missing'))
  return [
    ...left.map((rule) => `still there: ${describeRule(rule)}`),
    ...edits,
    ...(reason === null ? [] : [reason]),
    ...byOthers.map((change) => `since the run began: ${change}`),
    ...lossLines(explanation, command),
    ...(isOnlyMissing ? [reAddAdvice(command)] : []),
    ...(reAddProblem === null ? [] : [reAddProblem]),
    ...orderLines(explanation),
    stop === null
      ? `No rule of the kit is left; ${plural(byOthers.length, 'change')} to the ${plural(run.opening.before.length, 'rule')} from before the run.`
      : `${plural(left.length, 'rule')} of the kit could not be removed. ${leftAdvice(restored, command)}`,
  ]
}
