import type { RawClient } from '../client/raw.ts'
import type { Filled } from './fill.ts'
import type { Plugin } from './plugin.ts'
import type { Rules } from './rules.ts'
import type { LaunchedServer, LaunchSettings, Prepare } from './servers.ts'

/** Everything that a check of the plugin may use. What it adds to the target is removed after it. */
export interface Session {
  /** Requests to the target. */
  readonly plugin: Plugin
  /** The rule list of the target. */
  readonly rules: Rules
  /** Bytes of any kind to the target. */
  readonly raw: RawClient
  /** Host and path prefix of the target, for requests that are written by hand. */
  readonly address: { readonly host: string; readonly prefix: string }
  /** The right key. */
  readonly key: string
  /** A key that no server has had before. */
  newKey(): string
  /** The stated capacity, null where it is not known. */
  readonly capacity: number | null
  /** Whether the check may send requests that change something. */
  readonly mayWrite: boolean
  /** Whether the kit itself started the target. */
  readonly owned: boolean
  /** The seed of everything random. */
  readonly seed: number
  /** How many times as long the checks that draw at random go on; 1 is the shortest. */
  readonly thorough: number
  /** Fills the list of the target until it refuses a rule. */
  fill(): Promise<Filled>
  /** Fills the list of a server of the check's own. */
  fillServer(server: LaunchedServer): Promise<Filled>
  /** Prepares a server of the check's own, not started. */
  readonly prepare: Prepare
  /** Prepares and starts one; throws `CannotArrange` if it does not answer. */
  launch(settings?: LaunchSettings): Promise<LaunchedServer>
}
