import { NotListeningError } from '../server/address.ts'
import { lifeCycle } from '../server/instance.ts'
import { createNotifier } from '../server/notifier.ts'
import { type PlatformInstance, startPlatform } from './instance.ts'
import type { ResolvedPlatformOptions } from './options.ts'
import { encodeRecords, noRecords, type Records } from './store/records.ts'

export const notRunningHint = 'Start or restart the platform first.'

/** The life cycle of a platform, and its records across restarts. */
export function platformLifeCycle(options: ResolvedPlatformOptions) {
  const { log, file, clock } = options
  const changes = createNotifier()
  let initialRecords: Records | undefined
  const instances = lifeCycle<PlatformInstance>({
    startInstance: async () => {
      const instance = await startPlatform(options, changes.notify)
      initialRecords ??= instance.records.current()
      return instance
    },
    port: () => options.port,
    log,
    onChange: changes.notify,
  })
  const alive = async () => {
    const instance = await instances.currentOrFirst()
    if (instance === undefined) throw new NotListeningError(notRunningHint)
    return instance
  }
  /** The records of the current instance. Before the first start, it starts one. @throws NotListeningError */
  const load = async () => (await alive()).records.current()
  return {
    lifeCycle: instances,
    /** Notified when the records have changed, or an instance has started or ended. */
    changes,
    load,
    /** Undefined while there is no instance. */
    current: () => instances.current()?.records.current(),
    /** Saves the records that `change` returns, after all earlier changes. @throws NotListeningError */
    change: async (change: (records: Records) => Records) => replace(await alive(), change),
    reset: async () => {
      const instance = await instances.currentOrFirst()
      const records = initialRecords ?? noRecords
      if (instance === undefined) await instances.restart(() => file.write(encodeRecords(records)))
      else await replace(instance, () => records)
      instance?.clearUsage()
      clock.reset()
      log({ level: 'info', event: 'reset' })
    },
    markInitialState: async () => {
      initialRecords = await load()
    },
  }
}

/** Changes the records while no client changes them. The new ones are visible once they are saved. */
async function replace({ records, write }: PlatformInstance, change: (records: Records) => Records): Promise<void> {
  await records.mutex.runExclusive(async () => {
    const next = change(records.current())
    await write(next)
    records.publish(next)
  })
}
