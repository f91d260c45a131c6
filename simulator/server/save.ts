import type { ErrorResponse } from './error-response.ts'
import type { LogEntry } from './log.ts'

/** The error response to a change that cannot be saved. */
export function rejectIfFailed(
  saving: Promise<void>,
  {
    hooks,
    log,
  }: { readonly hooks: { readonly notSaved: () => ErrorResponse }; readonly log: (entry: LogEntry) => void },
): Promise<void> {
  return saving.catch((error: unknown) => {
    log({ level: 'error', event: 'save-failed', reason: error instanceof Error ? error.message : String(error) })
    throw hooks.notSaved()
  })
}
