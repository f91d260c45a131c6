import type { ResolvedOptions } from './options.ts'
import type { GroupCommit } from './stages/group-commit.ts'
import type { LiveList } from './store/live-list.ts'

/** The identity that the plugin reports in GET /api/status. */
export interface PluginIdentity {
  readonly name: string
  readonly version: string
  readonly licenseActive: boolean
}

/** Settings that may change while the plugin runs. */
export interface RuntimeSettings extends PluginIdentity {
  capacity: number
  licenseActive: boolean
}

/** Everything that the stages need to serve requests. */
export interface Service extends Pick<ResolvedOptions, 'hooks' | 'log'> {
  readonly list: LiveList
  /** The value of the parameter API_Key. If it is empty, the API is disabled. */
  readonly key: string
  readonly settings: Readonly<RuntimeSettings>
  /** The port listened on; undefined for requests that come through `callback()`. */
  readonly port: () => number | undefined
  /** The port to report if none is known. */
  readonly configuredPort: number
  /** Replaces the rules file. */
  readonly writeFile: (bytes: Uint8Array) => Promise<void>
  /** Saves a change together with others; undefined if each is saved alone. */
  readonly commitInGroup: () => GroupCommit | undefined
}
