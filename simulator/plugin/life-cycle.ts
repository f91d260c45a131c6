import { check, given } from '../server/check-option.ts'
import { type LifeCycleOptions, lifeCycle } from '../server/instance.ts'
import { type PluginInstance, type PluginInstanceOptions, startPlugin } from './instance.ts'
import { type ResolvedOptions, resolvePort } from './options.ts'
import type { RuntimeSettings } from './service.ts'
import type { Parameters } from './store/copy-parameters.ts'

/** Changes that take effect at a restart. */
export interface Changes {
  /** Replaces all parameters. */
  readonly parameters?: Parameters
  readonly capacity?: number
}

/** The life cycle of a plugin, and the parameters that apply from the next start. */
export type PluginLifeCycle = ReturnType<typeof pluginLifeCycle>

interface PluginLifeCycleOptions
  extends ResolvedOptions,
    Pick<PluginInstanceOptions, 'wrapApi'>,
    Pick<LifeCycleOptions<PluginInstance>, 'onChange' | 'onStop'> {
  /** Called when the first instance has started. */
  readonly onFirstStart: (instance: PluginInstance) => Promise<void>
}

export function pluginLifeCycle({ onFirstStart, onChange, onStop, ...options }: PluginLifeCycleOptions) {
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
    onStop,
  })
  return {
    ...transitions,
    settings,
    /** `change` runs while the plugin is stopped. @throws InvalidOptionError before the stop */
    restart: async (changes: Changes, change?: () => Promise<void>) => {
      resolvePort(options, changes.parameters ?? parameters)
      await restart(async () => {
        settings.capacity = changes.capacity ?? settings.capacity
        parameters = given(changes.parameters ?? parameters)
        await change?.()
      })
    },
    parameters: () => parameters,
    /** From the next start on. @throws InvalidOptionError */
    setParameters: (next: Parameters) => {
      resolvePort(options, check('parameters', next, 'strings'))
      parameters = given(next)
    },
  }
}
