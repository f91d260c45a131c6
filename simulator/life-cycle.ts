import { beginLife, type Life } from './life.ts'
import { checkCapacity, portFor, type Resolved } from './options.ts'
import { type LifeCycle, lifeCycle } from './server/life-cycle.ts'
import type { Parameters } from './store/copy-parameters.ts'

/** What may change from one start to the next. */
export interface Changes {
  /** Takes the place of all parameters. */
  readonly parameters?: Parameters
  readonly capacity?: number
}

/** The lives of one plugin, and the parameters that count from the next one. */
export interface PluginLifeCycle extends Omit<LifeCycle<Life>, 'restart'> {
  readonly restart: (changes: Changes) => Promise<void>
  readonly parameters: () => Parameters
  readonly setParameters: (parameters: Parameters) => void
}

export function pluginLifeCycle(resolved: Resolved): PluginLifeCycle {
  let { parameters, capacity } = resolved
  const { restart, ...cycle } = lifeCycle({
    begin: () => beginLife({ ...resolved, parameters, capacity }),
    wantedPort: () => portFor(resolved, parameters),
    log: resolved.log,
  })
  return {
    ...cycle,
    restart: (changes) =>
      restart(() => {
        capacity = checkCapacity(changes.capacity ?? capacity)
        parameters = { ...(changes.parameters ?? parameters) }
      }),
    parameters: () => parameters,
    setParameters: (next) => {
      parameters = { ...next }
    },
  }
}
