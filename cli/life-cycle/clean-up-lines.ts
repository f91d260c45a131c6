import type { CleanUpStop, Restored } from '../../suites/safety/restore.ts'

/** The line that is shown while the clean-up waits for other clients. */
export function waitingLine(timeoutMs: number): string {
  return `Other clients keep changing the list. The rules of the kit are removed between their edits, for at most ${seconds(timeoutMs)}. Ctrl-C ends it at once; then run \`copytrade-tck restore\`.\n`
}

const reasons: Readonly<Record<Exclude<CleanUpStop, 'unsafe'>, string>> = {
  refused: 'the server does not remove the rules of the kit',
  unclear: 'the list changed with several removals, so the next one could hit an existing rule too',
  timeout: 'other clients changed the list all the time, so the rules of the kit could not be removed safely',
}

/** Why rules of the kit are still in the list, or may not be removed any more; null where neither is so. */
export function leftReason({ removalUnsafeReason, stop }: Restored): string | null {
  return stop === null || stop === 'unsafe' ? removalUnsafeReason : reasons[stop]
}

/** What to do about the rules that are left. */
export function leftAdvice(stop: CleanUpStop, restoreCommand: string): string {
  if (stop === 'timeout') {
    return `Run it again when the other clients pause, or with a longer \`--cleanup-timeout\`: ${restoreCommand}`
  }
  if (stop === 'unclear') return `Stop the other clients, then run it again: ${restoreCommand}`
  const unsafe = stop === 'unsafe' ? 'No further DELETE is sent to this server. ' : ''
  return `${unsafe}Remove the rules in another way, such as in the rules file, then run it again: ${restoreCommand}`
}

/** How to add rules again that a request of the kit removed. */
export function reAddLine(restoreCommand: string): string {
  return `add them again with \`POST /api/rules\`, or with: ${restoreCommand} --re-add`
}

function seconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 100) / 10} s`
}
