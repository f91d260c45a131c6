import { type Control, createControl } from './control/control.ts'
import { faultList } from './control/faults/fault-list.ts'
import { faultPlayer } from './control/faults/play.ts'
import type { ClientReport } from './control/journal/client-report.ts'
import { createJournal } from './control/journal/journal.ts'
import { recordRequests } from './control/journal/record.ts'
import { type ControlledPlugin, captureState, type PluginState, type RunningPlugin } from './control/plugin-state.ts'
import type { PluginInstance } from './plugin/instance.ts'
import { type PluginLifeCycle, pluginLifeCycle } from './plugin/life-cycle.ts'
import { checkCapacity, type ResolvedOptions } from './plugin/options.ts'
import { admitRule } from './plugin/stages/validate.ts'
import type { HttpApi } from './server/api.ts'
import { createClock } from './server/clock.ts'
import { createNotifier } from './server/notifier.ts'
import { startReading } from './server/request-body.ts'

/** A plugin whose requests can meet faults and are recorded in a journal, with the control of both. */
export function createControlledPlugin(options: ResolvedOptions): {
  readonly lifeCycle: PluginLifeCycle
  readonly control: Control
} {
  const changes = createNotifier()
  const faults = faultList(changes.notify)
  const journal = createJournal(options.journal, createClock())
  const player = faultPlayer(faults, () => instances.crash())
  let initialState: PluginState | undefined
  const instances = pluginLifeCycle({
    ...options,
    file: player.onFile(options.file),
    wrapApi: (api, context) => {
      const faulty = readingFaultedBodies(player.onApi(api), options.hooks.bodyLimitBytes)
      return options.journal === 0 ? faulty : recordRequests(faulty, journal, context)
    },
    onFirstStart: async (instance) => {
      initialState = await captureState({ ...plugin, current: () => runningPlugin(instance) })
    },
    onChange: changes.notify,
  })
  const lifeCycle: PluginLifeCycle = {
    ...instances,
    // A request that a fault delays would otherwise delay the stop.
    stop: () => {
      player.release()
      return instances.stop()
    },
    restart: (next, change) => {
      player.release()
      return instances.restart(next, change)
    },
  }
  const plugin = controlledPlugin(lifeCycle, options)
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

function controlledPlugin(lifeCycle: PluginLifeCycle, { file, hooks }: ResolvedOptions): ControlledPlugin {
  const { settings, crash, restart, parameters, setParameters } = lifeCycle
  return {
    currentOrFirst: async () => runningPlugin(await lifeCycle.currentOrFirst()),
    current: () => runningPlugin(lifeCycle.current()),
    restart,
    crash,
    file,
    admitRule: (rule, rules) => admitRule(rule, rules, hooks),
    encodeFile: hooks.encodeFile,
    parameters,
    setParameters,
    capacity: () => settings.capacity,
    setCapacity: (capacity) => {
      settings.capacity = checkCapacity(capacity)
    },
    licenseActive: () => settings.plugin.licenseActive,
    setLicenseActive: (licenseActive) => {
      settings.plugin = { ...settings.plugin, licenseActive }
    },
  }
}

function runningPlugin(instance: PluginInstance | undefined): RunningPlugin | undefined {
  return instance && { rules: instance.list.rules, parameters: instance.parameters, serialised: instance.serialised }
}

/**
 * Reads the body of each request that meets a fault, up to the limit. The plugin may never read it, or
 * only after the client has given up, and then the journal could not show it.
 */
function readingFaultedBodies(api: HttpApi, limitBytes: number): HttpApi {
  return {
    ...api,
    respond: (request, track) =>
      api.respond(request, (progress) => {
        if (progress.fault !== undefined) startReading(request, limitBytes)
        track?.(progress)
      }),
  }
}
