import { Mutex } from 'async-mutex'
import type { Records } from './records.ts'

/** The records that clients see, and the mutex that serialises changes to them. */
export interface LiveRecords {
  readonly current: () => Records
  /** Makes these records visible to clients. */
  readonly publish: (records: Records) => void
  readonly mutex: Mutex
}

/** `changed` is called after each publication. */
export function liveRecords(initial: Records, changed: () => void): LiveRecords {
  let records = initial
  return {
    current: () => records,
    publish: (next) => {
      records = next
      changed()
    },
    mutex: new Mutex(),
  }
}
