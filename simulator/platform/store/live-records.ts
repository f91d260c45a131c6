import { Mutex } from 'async-mutex'
import type { Records } from './records.ts'

export type LiveRecords = ReturnType<typeof liveRecords>

/**
 * The records that clients see, and the mutex that serialises changes to them. `changed` is called after each
 * publication.
 */
export function liveRecords(initial: Records, changed: () => void) {
  let records = initial
  return {
    current: () => records,
    /** Makes these records visible to clients. */
    publish: (next: Records) => {
      records = next
      changed()
    },
    mutex: new Mutex(),
  }
}
