import type { ApiHooks } from './api-hooks.ts'
import type { LogEntry } from './log.ts'

interface SavingApi {
  readonly hooks: Pick<ApiHooks<string, string>, 'notSaved'>
  readonly log: (entry: LogEntry) => void
}

/** @throws ErrorResponse if a change cannot be saved */
export function saveOrReject({ hooks, log }: SavingApi, save: () => Promise<void>): Promise<void> {
  return save().catch((error: unknown) => {
    log({ level: 'error', event: 'save-failed', reason: error instanceof Error ? error.message : String(error) })
    throw hooks.notSaved()
  })
}
