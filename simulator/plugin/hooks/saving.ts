import type { Mutex } from 'async-mutex'
import { ErrorResponse } from '../../server/error-response.ts'

export type ChangeName = 'add-rule' | 'remove-rule'

/** When the list is saved (clause 4.3 rule 1). */
export interface SavingHooks {
  /** Runs before the response to a change is sent; rejects if the change must not take effect. */
  readonly save: (write: () => Promise<void>, change: ChangeName) => Promise<void>
  /** Runs a change when the changes before it are finished. */
  readonly serialise: <Result>(mutex: Mutex, change: () => Promise<Result>) => Promise<Result>
  /** Whether a graceful stop writes the file. It must not: the file may have been deleted on purpose. */
  readonly savesOnStop: boolean
  readonly notSaved: () => ErrorResponse
}

export function savingHooks(): SavingHooks {
  return {
    save: (write) => write(),
    serialise: (mutex, change) => mutex.runExclusive(change),
    savesOnStop: false,
    notSaved: () => new ErrorResponse(500, 'Internal server error: the rules could not be saved.'),
  }
}
