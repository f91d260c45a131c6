import { isDeepStrictEqual } from 'node:util'
import { type PluginLifeCycle, pluginLifeCycle } from '../plugin/life-cycle.ts'
import type { ResolvedOptions } from '../plugin/options.ts'
import { createClock } from '../server/clock.ts'
import { createNotifier } from '../server/notifier.ts'
import { faultList } from './faults/fault-list.ts'
import { faultPlayer } from './faults/play.ts'
import type { ClientReport } from './journal/client-report.ts'
import { createJournal } from './journal/journal.ts'
import { recordRequests } from './journal/record.ts'

/** A plugin with faults and a journal, and all that its control needs. */
export type ControlledPlugin = ReturnType<typeof controlledPlugin>

export function controlledPlugin(options: ResolvedOptions) {
  const { file, hooks, profile } = options
  const changes = createNotifier()
  const faults = faultList(changes.notify)
  const journal = createJournal(options.journal, createClock())
  const player = faultPlayer(faults, hooks.bodyLimitBytes, () => lifeCycle.crash())
  let initialState: PluginState | undefined
  const lifeCycle: PluginLifeCycle = pluginLifeCycle({
    ...options,
    file: player.onFile(file),
    wrapApi: (api, context) => {
      const faulty = player.onApi(api)
      return options.journal === 0 ? faulty : recordRequests(faulty, journal, context)
    },
    onFirstStart: async (instance) => {
      initialState = await captureState({ lifeCycle, file }, instance)
    },
    onChange: changes.notify,
    // Without this, a delayed request would also delay the stop, and outlive a crash.
    onStop: player.release,
  })
  return {
    ...{ lifeCycle, file, hooks, profile, faults, journal, changes },
    /** Notified with the client report that the reset has cleared. */
    resets: createNotifier<() => ClientReport>(),
    /** Ends the requests that faults delay. */
    release: player.release,
    /** The state after the first start; undefined before it. */
    initialState: () => initialState,
  }
}

type StatefulPlugin = Pick<ResolvedOptions, 'file'> & { readonly lifeCycle: PluginLifeCycle }

/** The state of a plugin that can change while it runs. */
export type PluginState = Awaited<ReturnType<typeof captureState>>

/** The state, read while no client changes it. */
export async function captureState({ lifeCycle, file }: StatefulPlugin, running = lifeCycle.current()) {
  const read = async () => ({
    /** Undefined if the plugin is not running: a start then loads them from the file. */
    rules: running?.list.rules(),
    /** Undefined if there is none, or it cannot be read, since it could not be restored. */
    file: await file.read().catch(() => undefined),
    parameters: lifeCycle.parameters(),
    capacity: lifeCycle.settings.capacity,
    licenseActive: lifeCycle.settings.licenseActive,
  })
  return running === undefined ? read() : running.list.mutex.runExclusive(read)
}

/**
 * Restores a state. A plugin that runs with the same parameters keeps running, and no client sees an intermediate
 * state. Otherwise, or if the state has no rules, the plugin is restarted. `also` runs in the step in which the state
 * becomes visible.
 */
export async function restoreState({ lifeCycle, file }: StatefulPlugin, state: PluginState, also?: () => void) {
  const { rules, parameters, capacity, licenseActive } = state
  const running = lifeCycle.current()
  const restoreFile = () => (state.file === undefined ? file.remove() : file.write(state.file))
  if (running === undefined || rules === undefined || !isDeepStrictEqual(running.parameters, parameters)) {
    await lifeCycle.restart({ parameters, capacity }, restoreFile)
  }
  // The rules that a start loads may differ from the state, e.g. beyond the capacity.
  await lifeCycle.current()?.serialised(async () => {
    if (rules !== undefined) await restoreFile()
    // No `await` from here until the rules are published.
    Object.assign(lifeCycle.settings, { capacity, licenseActive })
    lifeCycle.setParameters(parameters)
    also?.()
    return rules
  })
}
