import { type LifeCycle, lifeCycle } from '../server/life-cycle.ts'
import { beginLife, type Circumstances, type Life, type Settings } from './instance.ts'
import { checkCapacity, portFor, type Resolved } from './options.ts'
import type { Parameters } from './store/copy-parameters.ts'

/** What may change from one start to the next. */
export interface Changes {
  /** Takes the place of all parameters. */
  readonly parameters?: Parameters
  readonly capacity?: number
}

/** The lives of one plugin, and the parameters that count from the next one. */
export interface PluginLifeCycle extends Omit<LifeCycle<Life>, 'restart'> {
  /** `change` runs while the plugin is stopped. */
  readonly restart: (changes: Changes, change?: () => Promise<void>) => Promise<void>
  readonly parameters: () => Parameters
  readonly setParameters: (parameters: Parameters) => void
  readonly settings: Settings
}

export interface Surroundings extends Resolved, Pick<Circumstances, 'between'> {
  /** Runs when the first life has begun. */
  readonly onFirstLife: (life: Life) => Promise<void>
  /** Runs when a life has begun, opened its port, or ended. */
  readonly onTurn: () => void
}

export function pluginLifeCycle({ onFirstLife, onTurn, ...resolved }: Surroundings): PluginLifeCycle {
  let { parameters } = resolved
  const settings: Settings = { capacity: resolved.capacity, plugin: resolved.plugin }
  let isFirst = true
  const { restart, ...cycle } = lifeCycle({
    begin: async () => {
      const life = await beginLife({ ...resolved, parameters, settings })
      if (isFirst) await onFirstLife(life)
      isFirst = false
      return life
    },
    wantedPort: () => portFor(resolved, parameters),
    log: resolved.log,
    onTurn,
  })
  return {
    ...cycle,
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
