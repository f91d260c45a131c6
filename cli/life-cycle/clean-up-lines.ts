import { contentOf, describeRule } from '../../suites/model/rule.ts'
import type { CleanUpStop, Restored } from '../../suites/safety/clean-up.ts'
import type { RunExplanation } from '../../suites/safety/explain-run.ts'
import type { RecordedRun } from '../../suites/safety/ledger.ts'
import { ConcurrentEdit, ServerFault } from '../../suites/safety/list-change-errors.ts'
import { orderChanged } from '../../suites/safety/list-state.ts'
import { RuleNotRestored } from '../../suites/safety/restore-rules.ts'
import { StepFailed, StepSkipped } from '../../suites/targets/live/step.ts'

/** The first Ctrl-C lets a run clean up, and only the second ends it. `restore` ends at the first. */
export function waitingLine(timeoutMs: number, command: 'run' | 'restore'): string {
  const seconds = Math.round(timeoutMs / 100) / 10
  const keys = command === 'run' ? 'Ctrl-C twice' : 'Ctrl-C'
  return `Other clients keep changing the list. The rules of the kit are removed between their edits, for at most ${seconds} s. ${keys} ends it at once; then run \`copytrade-tck restore\`.\n`
}

const reasons: Readonly<Record<Exclude<CleanUpStop, 'unsafe'>, string>> = {
  refused: 'the server does not remove the rules of the kit',
  unclear: 'the list changed with several removals, so the next one could hit an existing rule too',
  timeout: 'other clients changed the list all the time, so the rules of the kit could not be removed safely',
}

/** Why rules of the kit are still in the list or must no longer be removed; null otherwise. */
export function leftReason({ removalUnsafeReason, stop, status }: Restored): string | null {
  if (stop === null || stop === 'unsafe') return removalUnsafeReason
  const answered = stop === 'refused' && status !== null ? `: DELETE was answered with ${status}` : ''
  return `${reasons[stop]}${answered}`
}

export const limitAdvice = 'Run the command again later, or with a lower `--max-rps`'

export function leftAdvice({ stop, status }: Pick<Restored, 'stop' | 'status'>, restoreCommand: string): string {
  if (stop === 'refused' && status === 429) return `${limitAdvice}: ${restoreCommand}`
  if (stop === 'timeout') {
    return `Run it again when the other clients pause, or with a longer \`--cleanup-timeout\`: ${restoreCommand}`
  }
  if (stop === 'unclear') return `Stop the other clients, then run it again: ${restoreCommand}`
  const unsafe = stop === 'unsafe' ? 'No further DELETE is sent to this server. ' : ''
  return `${unsafe}Remove the rules in another way, such as in the rules file, then run it again: ${restoreCommand}`
}

/** Names the foreign rules that requests of the kit removed or may have removed. */
export function lossLines(
  { lost, possiblyLost, possiblyUnlisted, changed, incomplete, further }: RunExplanation,
  restoreCommand: string | null,
): readonly string[] {
  const isReAddable = lost.length > 0 && restoreCommand !== null
  return [
    ...lost.map((rule) => `disappeared with a request of the kit: ${describeRule(rule)}`),
    ...(isReAddable ? [`add them again with \`POST /api/rules\`, or with: ${restoreCommand} --re-add`] : []),
    ...possiblyLost.map(
      (rule) => `missing, removed by a request of the kit or by another client: ${describeRule(rule)}`,
    ),
    ...changed.map((rule) => `instead of it there is now: ${describeRule(contentOf(rule))}`),
    ...incomplete.map(
      (rule) =>
        `added again; it may lack \`${further.join('`, `')}\`, which the kit cannot send: ${describeRule(rule)}`,
    ),
    ...(possiblyUnlisted
      ? ['a request of the kit may have removed a rule that another client had just added and that no list shows']
      : []),
    ...(possiblyLost.length > 0 || possiblyUnlisted
      ? ['ask the other clients of the server what they removed and added; the report shows the lists']
      : []),
    ...(possiblyLost.length > 0 && lost.length === 0 && restoreCommand !== null ? [reAddAdvice(restoreCommand)] : []),
  ]
}

/** For missing rules that another client may have removed. */
export function reAddAdvice(restoreCommand: string): string {
  return `if no other client removed the missing rules on purpose, add them again with: ${restoreCommand} --re-add`
}

/** Names the moved rules with their positions, and whether the whole order has changed. */
export function orderLines({ moved, reordered }: RunExplanation): readonly string[] {
  return [
    ...moved.map(
      ({ rule, from }) => `added again at #${rule.index}, was at #${from} before: ${describeRule(contentOf(rule))}`,
    ),
    ...(moved.length > 0
      ? ['if the order matters, remove the rules after their old positions and add them again in the same order']
      : []),
    ...(reordered ? [`${orderChanged} with a request of the kit`] : []),
  ]
}

/** What a leased server that was not restored lacks, according to the ledger; nothing if the kit left it unchanged. */
export function leaseLines({ leased }: Pick<RecordedRun, 'leased'>): readonly string[] {
  if (leased === null) return []
  return [
    ...(leased.configured ? ['the server may still have the parameters of the run, with another `API_Key`'] : []),
    ...leased.removed.map((rule) => `may be missing: ${describeRule(rule)}`),
  ]
}

/** Whether an error means that the server was left changed, as does a ledger without space. Its message says why. */
export function leavesServerChanged(error: unknown): error is Error {
  const kinds = [StepFailed, StepSkipped, RuleNotRestored, ServerFault, ConcurrentEdit]
  return kinds.some((kind) => error instanceof kind) || (error instanceof Error && 'syscall' in error)
}
