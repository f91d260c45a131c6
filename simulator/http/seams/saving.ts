import { Refusal } from '../../server/refusal.ts'
import type { Turns } from '../../storage/turns.ts'

export type ChangeName = 'add-rule' | 'remove-rule'

/** When the list is saved (clause 4.3 rule 1). */
export interface SavingSeams {
  /** Runs before the answer to a change leaves; rejects where the change must not stand. */
  readonly save: (write: () => Promise<void>, change: ChangeName) => Promise<void>
  /** Makes a change wait for the changes before it. */
  readonly inTurn: <Result>(turns: Turns, change: () => Promise<Result>) => Promise<Result>
  /** Whether a graceful stop writes the file too. It must not: the file may have been deleted on purpose. */
  readonly savesOnStop: boolean
  readonly notSaved: () => Refusal
}

export function savingSeams(): SavingSeams {
  return {
    save: (write) => write(),
    inTurn: (turns, change) => turns.take(change),
    savesOnStop: false,
    notSaved: () => new Refusal(500, 'Internal server error: the rules could not be saved.'),
  }
}
