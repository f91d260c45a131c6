import type { LogEntry } from '../server/log.ts'
import type { Hooks } from './hooks/hooks.ts'
import type { LiveList } from './store/live-list.ts'

/** What the plugin says of itself in GET /api/status. */
export interface PluginIdentity {
  readonly name: string
  readonly version: string
  readonly licenseActive: boolean
}

/** All that the stages need to serve requests between one start and the next stop. Capacity and identity are those of the moment. */
export interface Service {
  readonly hooks: Hooks
  readonly list: LiveList
  /** The value of the parameter API_Key; empty: the API is disabled. */
  readonly key: string
  readonly capacity: number
  readonly plugin: PluginIdentity
  /** The port listened on; undefined where requests are handed in without a port of ours. */
  readonly port: () => number | undefined
  /** The port to report where none is known. */
  readonly configuredPort: number
  /** Makes `bytes` the rules file. */
  readonly writeFile: (bytes: Uint8Array) => Promise<void>
  readonly log: (entry: LogEntry) => void
}
