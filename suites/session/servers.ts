import type { Plugin } from './plugin.ts'
import type { Rules } from './rules.ts'

/** A server that a check starts, stops and starts again, and that is lent to it alone. */
export interface LaunchedServer {
  readonly url: string
  readonly key: string
  readonly plugin: Plugin
  readonly rules: Rules
  /** The most `Copy_N` that it was prepared with. */
  readonly copied: number
  /** The same server addressed with another key. */
  withKey(key: string): Plugin
  /** Starts it; throws `CannotArrange` if it does not answer. */
  start(): Promise<void>
  /** Starts it where silence is one of the possible outcomes; resolves to whether it answers. */
  tryStart(): Promise<boolean>
  /** Whether nothing listens at its port; throws `OutOfScope` where that cannot be seen. */
  refusesConnections(): Promise<boolean>
  stop(): Promise<void>
  crash(): Promise<void>
  /** `stop` and `start`. */
  restart(): Promise<void>
  /** Other settings from the next start on. */
  configure(changes: LaunchSettings): Promise<void>
  hasRulesFile(): Promise<boolean>
  deleteRulesFile(): Promise<void>
  writeRulesFile(text: string): Promise<void>
}

export interface LaunchSettings {
  /** The `Copy_N` parameters, whole names. Default: none. */
  readonly copy?: Readonly<Record<string, string>>
  /** `API_Key`; `null` leaves the parameter out. Default: a key of the kit. */
  readonly apiKey?: string | null
  readonly capacity?: number
  /** Leave the choice of the port to the server. */
  readonly defaultPort?: boolean
  /**
   * What the list holds at the first start. `fresh`: there is no rules file, so it holds what `copy`
   * says. `empty`: nothing, however that came about. `any`: rules of others may be in it, and `copy`
   * says nothing about them; only this can be had of a server whose parameters and file are out of
   * reach. Default: `fresh` where other settings are given, else `empty`.
   */
  readonly list?: 'fresh' | 'empty' | 'any'
}

/** Prepares a server; nothing runs before its `start`. */
export type Prepare = (settings?: LaunchSettings) => Promise<LaunchedServer>
