import { NotListeningError } from '../server/address.ts'
import { type LifeCycle, lifeCycle } from '../server/life-cycle.ts'
import { createNotifier, type Notifier } from '../server/notifier.ts'
import { type PlatformInstance, startPlatform } from './instance.ts'
import type { ResolvedPlatformOptions } from './options.ts'
import { encodeRecords } from './store/file-format.ts'
import { noRecords, type Records } from './store/records.ts'

/** The lives of a platform, and its records across them. */
export interface PlatformLifeCycle {
  readonly cycle: LifeCycle<PlatformInstance>
  /** Told when the records have changed, or a life has begun or ended. */
  readonly changes: Notifier
  /** Those of the present life, or of the first one, which begins then. @throws NotListeningError */
  readonly load: () => Promise<Records>
  /** Undefined while there is no life. */
  readonly current: () => Records | undefined
  /** Saves what `change` makes of the records, after all changes before it. @throws NotListeningError */
  readonly change: (change: (records: Records) => Records) => Promise<void>
  /** Brings back the records of the beginning, and runs again where it has stopped or crashed. */
  readonly reset: () => Promise<void>
  /** The records of this moment are those of the beginning. @throws NotListeningError */
  readonly markBeginning: () => Promise<void>
}

export const notRunningHint = 'Start or restart the platform first.'

export function platformLifeCycle(resolved: ResolvedPlatformOptions): PlatformLifeCycle {
  const { log, file, clock } = resolved
  const changes = createNotifier()
  let beginning: Records | undefined
  const cycle = lifeCycle<PlatformInstance>({
    startInstance: async () => {
      const instance = await startPlatform(resolved, changes.notify)
      beginning ??= instance.records.current()
      return instance
    },
    port: () => resolved.port,
    log,
    onChange: changes.notify,
  })
  const alive = async () => {
    const instance = await cycle.currentOrFirst()
    if (instance === undefined) throw new NotListeningError(notRunningHint)
    return instance
  }
  const load = async () => (await alive()).records.current()
  return {
    cycle,
    changes,
    load,
    current: () => cycle.current()?.records.current(),
    change: async (change) => replace(await alive(), change),
    reset: async () => {
      const instance = await cycle.currentOrFirst()
      const records = beginning ?? noRecords
      if (instance === undefined) await cycle.restart(() => file.write(encodeRecords(records)))
      else await replace(instance, () => records)
      instance?.clearUsage()
      clock.reset()
      log({ level: 'info', event: 'reset' })
    },
    markBeginning: async () => {
      beginning = await load()
    },
  }
}

/** Between two changes of clients, who see the new records once they are saved. */
async function replace({ records, write }: PlatformInstance, change: (records: Records) => Records): Promise<void> {
  await records.mutex.runExclusive(async () => {
    const next = change(records.current())
    await write(next)
    records.publish(next)
  })
}
