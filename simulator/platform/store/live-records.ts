import { type Turns, takingTurns } from '../../storage/turns.ts'
import type { Records } from './records.ts'

/** The records that clients see, and the queue of their changes. */
export interface LiveRecords {
  readonly present: () => Records
  /** From now on clients see these. */
  readonly publish: (records: Records) => void
  readonly turns: Turns
}

/** `changed` is called after each publication. */
export function liveRecords(initial: Records, changed: () => void): LiveRecords {
  let records = initial
  return {
    present: () => records,
    publish: (next) => {
      records = next
      changed()
    },
    turns: takingTurns(),
  }
}
