import type { Mutex } from 'async-mutex'
import { ErrorResponse } from '../../server/error-response.ts'
import { encodeRules } from '../store/file-format.ts'
import type { RulesFile } from '../store/rules-file.ts'
import type { StartUpHooks } from '../store/start-up.ts'

export type ChangeName = 'add-rule' | 'remove-rule'

/** When the list is saved (clause 4.3 rule 1). */
export interface SavingHooks {
  /** Runs before the response to a change is sent; rejects if the change must not take effect. */
  readonly save: (write: () => Promise<void>, change: ChangeName) => Promise<void>
  /** Replaces the rules file. */
  readonly writeFile: (file: RulesFile, bytes: Uint8Array) => Promise<void>
  /** Runs a change when the changes before it are finished. */
  readonly serialise: <Result>(mutex: Mutex, change: () => Promise<Result>) => Promise<Result>
  /** Whether a graceful stop writes the file. It must not: the file may have been deleted on purpose. */
  readonly savesOnStop: boolean
  readonly notSaved: () => ErrorResponse
}

const save: SavingHooks['save'] = (write) => write()
const writeFile: SavingHooks['writeFile'] = (file, bytes) => file.write(bytes)
const serialise: SavingHooks['serialise'] = (mutex, change) => mutex.runExclusive(change)

/**
 * Whether changes may be saved in groups, and by adding them to the file. A server that replaces one of these
 * hooks decides about each change, or writes another file.
 */
export function savesInGroups(hooks: SavingHooks & Pick<StartUpHooks, 'encodeFile'>): boolean {
  const saves = hooks.save === save && hooks.writeFile === writeFile && hooks.encodeFile === encodeRules
  return saves && hooks.serialise === serialise
}

export function savingHooks(): SavingHooks {
  return {
    save,
    writeFile,
    serialise,
    savesOnStop: false,
    notSaved: () => new ErrorResponse(500, 'Internal server error: the rules could not be saved.'),
  }
}
