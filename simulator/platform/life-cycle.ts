import { NotListeningError } from '../server/address.ts'
import { type LifeCycle, lifeCycle } from '../server/life-cycle.ts'
import { type Signal, signal } from '../server/notifier.ts'
import { beginLife, type Life } from './instance.ts'
import type { Resolved } from './options.ts'
import { encodeRecords } from './store/file-format.ts'
import { noRecords, type Records } from './store/records.ts'

/** The lives of a platform, and its records across them. */
export interface InstanceControl {
  readonly cycle: LifeCycle<Life>
  /** Told when the records have changed, or a life has begun or ended. */
  readonly changes: Signal
  /** Those of the present life, or of the first one, which begins then. @throws NotListeningError */
  readonly load: () => Promise<Records>
  /** Undefined while there is no life. */
  readonly present: () => Records | undefined
  /** Saves what `change` makes of the records, after all changes before it. @throws NotListeningError */
  readonly change: (change: (records: Records) => Records) => Promise<void>
  /** Brings back the records of the beginning, and runs again where it has stopped or crashed. */
  readonly reset: () => Promise<void>
  /** The records of this moment are those of the beginning. @throws NotListeningError */
  readonly markBeginning: () => Promise<void>
}

export const notRunningHint = 'Start or restart the platform first.'

export function livesOf(resolved: Resolved): InstanceControl {
  const { log, file, clock } = resolved
  const changes = signal()
  let beginning: Records | undefined
  const cycle = lifeCycle<Life>({
    begin: async () => {
      const life = await beginLife(resolved, changes.tell)
      beginning ??= life.records.present()
      return life
    },
    wantedPort: () => resolved.port,
    log,
    onTurn: changes.tell,
  })
  const alive = async () => {
    const life = await cycle.firstOrPresent()
    if (life === undefined) throw new NotListeningError(notRunningHint)
    return life
  }
  const load = async () => (await alive()).records.present()
  return {
    cycle,
    changes,
    load,
    present: () => cycle.present()?.records.present(),
    change: async (change) => replace(await alive(), change),
    reset: async () => {
      const life = await cycle.firstOrPresent()
      const records = beginning ?? noRecords
      if (life === undefined) await cycle.restart(() => file.write(encodeRecords(records)))
      else await replace(life, () => records)
      life?.forget()
      clock.reset()
      log({ level: 'info', event: 'reset' })
    },
    markBeginning: async () => {
      beginning = await load()
    },
  }
}

/** Between two changes of clients, who see the new records once they are saved. */
async function replace({ records, write }: Life, change: (records: Records) => Records): Promise<void> {
  await records.turns.take(async () => {
    const next = change(records.present())
    await write(next)
    records.publish(next)
  })
}
