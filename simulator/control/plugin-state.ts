import { isDeepStrictEqual } from 'node:util'
import type { Hooks } from '../plugin/hooks/hooks.ts'
import type { PluginLifeCycle } from '../plugin/life-cycle.ts'
import type { RulesFile } from '../plugin/store/rules-file.ts'

/** The plugin from the viewpoint of its control. */
export interface ControlledPlugin {
  readonly lifeCycle: PluginLifeCycle
  readonly file: RulesFile
  readonly hooks: Hooks
}

/** The state of a plugin that can change while it runs. */
export type PluginState = Awaited<ReturnType<typeof captureState>>

/** The state, read while no client changes it. */
export async function captureState({ lifeCycle, file }: ControlledPlugin, running = lifeCycle.current()) {
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
export async function restoreState(
  { lifeCycle, file }: ControlledPlugin,
  state: PluginState,
  also: () => void = () => undefined,
): Promise<void> {
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
    also()
    return rules
  })
}
