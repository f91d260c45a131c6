import type { Restored } from '../../suites/safety/restore.ts'

/** The line that is shown while the clean-up waits for other clients. */
export function waitingLine(timeoutMs: number): string {
  return `Other clients keep changing the list. The rules of the kit are removed between their edits, for at most ${seconds(timeoutMs)}. Ctrl-C ends it at once; then run \`copytrade-tck restore\`.\n`
}

/** Why rules of the kit are still in the list, or may not be removed any more; null where neither is so. */
export function leftReason({ left, removalUnsafeReason, isRefused }: Restored, timeoutMs: number): string | null {
  if (removalUnsafeReason !== null) return removalUnsafeReason
  if (left.length === 0) return null
  if (isRefused) return 'the server does not remove the rules of the kit'
  return `other clients kept changing the list for ${seconds(timeoutMs)}, so the rules of the kit could not be removed safely`
}

function seconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 100) / 10} s`
}
