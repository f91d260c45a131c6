import { type Control, createControl } from './control/control.ts'
import { faultList } from './control/faults/fault-list.ts'
import { faultPlayer } from './control/faults/play.ts'
import type { ClientReport } from './control/journal/client-report.ts'
import { createJournal } from './control/journal/journal.ts'
import { recordRequests } from './control/journal/record.ts'
import { captureState, type PluginState } from './control/plugin-state.ts'
import { type PluginLifeCycle, pluginLifeCycle } from './plugin/life-cycle.ts'
import type { ResolvedOptions } from './plugin/options.ts'
import { createClock } from './server/clock.ts'
import { createNotifier } from './server/notifier.ts'

/** A plugin with faults, a journal, and the control of both. */
export function createControlledPlugin(options: ResolvedOptions): {
  readonly lifeCycle: PluginLifeCycle
  readonly control: Control
} {
  const changes = createNotifier()
  const faults = faultList(changes.notify)
  const journal = createJournal(options.journal, createClock())
  const player = faultPlayer(faults, options.hooks.bodyLimitBytes, () => instances.crash())
  let initialState: PluginState | undefined
  const instances = pluginLifeCycle({
    ...options,
    file: player.onFile(options.file),
    wrapApi: (api, context) => {
      const faulty = player.onApi(api)
      return options.journal === 0 ? faulty : recordRequests(faulty, journal, context)
    },
    onFirstStart: async (instance) => {
      initialState = await captureState(plugin, instance)
    },
    onChange: changes.notify,
  })
  const lifeCycle: PluginLifeCycle = {
    ...instances,
    // Without this, a delayed request would also delay the stop.
    stop: () => {
      player.release()
      return instances.stop()
    },
    restart: (next, change) => {
      player.release()
      return instances.restart(next, change)
    },
  }
  const plugin = { lifeCycle, file: options.file, hooks: options.hooks }
  const control = createControl({
    plugin,
    faults,
    journal,
    changes,
    resets: createNotifier<() => ClientReport>(),
    release: player.release,
    initialState: () => initialState,
    profile: options.profile,
  })
  return { lifeCycle, control }
}
