import type { Track } from '../server/api.ts'
import type { HttpResponse } from '../server/response.ts'
import type { ChangeName } from './hooks/saving.ts'
import type { RuleList } from './model/rule-list.ts'
import type { PluginIdentity, ResolvedOptions } from './options.ts'
import type { LiveList } from './store/live-list.ts'

/** Settings that may change while the plugin runs. */
export interface RuntimeSettings extends PluginIdentity {
  capacity: number
  licenseActive: boolean
}

/** The response, and the change to save before it is sent; absent if nothing changes. */
export interface AppliedOperation {
  readonly response: HttpResponse
  readonly change?: { readonly name: ChangeName; readonly rules: RuleList }
}

/** Applies a change when it is next, and resolves when it is saved and visible. */
export type GroupCommit = (apply: () => AppliedOperation, track?: Track) => Promise<HttpResponse>

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
