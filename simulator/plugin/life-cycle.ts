import { type LifeCycle, lifeCycle } from '../server/life-cycle.ts'
import { type PluginInstance, type PluginInstanceOptions, startPlugin } from './instance.ts'
import { checkCapacity, type ResolvedOptions, resolvePort } from './options.ts'
import type { RuntimeSettings } from './service.ts'
import type { Parameters } from './store/copy-parameters.ts'

/** Changes that take effect at a restart. */
export interface Changes {
  /** Replaces all parameters. */
  readonly parameters?: Parameters
  readonly capacity?: number
}

/** The life cycle of a plugin, and the parameters that apply from the next start. */
export interface PluginLifeCycle extends Omit<LifeCycle<PluginInstance>, 'restart'> {
  /** `change` runs while the plugin is stopped. */
  readonly restart: (changes: Changes, change?: () => Promise<void>) => Promise<void>
  readonly parameters: () => Parameters
  readonly setParameters: (parameters: Parameters) => void
  readonly settings: RuntimeSettings
}

export interface PluginLifeCycleOptions extends ResolvedOptions, Pick<PluginInstanceOptions, 'wrapApi'> {
  /** Called when the first instance has started. */
  readonly onFirstStart: (instance: PluginInstance) => Promise<void>
  /** Called when an instance has started, opened its port, or ended. */
  readonly onChange: () => void
}

export function pluginLifeCycle({ onFirstStart, onChange, ...options }: PluginLifeCycleOptions): PluginLifeCycle {
  let { parameters } = options
  const settings: RuntimeSettings = { capacity: options.capacity, ...options.plugin }
  let isFirst = true
  const { restart, ...transitions } = lifeCycle({
    startInstance: async () => {
      const instance = await startPlugin({ ...options, parameters, settings })
      if (isFirst) await onFirstStart(instance)
      isFirst = false
      return instance
    },
    port: () => resolvePort(options, parameters),
    log: options.log,
    onChange,
  })
  return {
    ...transitions,
    settings,
    restart: (changes, change) =>
      restart(async () => {
        settings.capacity = checkCapacity(changes.capacity ?? settings.capacity)
        parameters = { ...(changes.parameters ?? parameters) }
        await change?.()
      }),
    parameters: () => parameters,
    setParameters: (next) => {
      parameters = { ...next }
    },
  }
}
