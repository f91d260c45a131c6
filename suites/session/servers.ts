import type { RawClient } from '../client/raw.ts'
import type { Plugin } from './plugin.ts'
import type { Address } from './raw-request.ts'
import type { Rules } from './rules.ts'

/** A server whose life cycle a check controls, with exclusive access. */
export interface LaunchedServer extends Address {
  readonly url: string
  readonly plugin: Plugin
  readonly rules: Rules
  /** Sends raw bytes. */
  readonly raw: RawClient
  /** The highest number of `Copy_N` so far. */
  readonly copied: number
  /** The same server, accessed with another key. */
  withKey(key: string): Plugin
  /** Starts it; throws `CannotArrange` if it does not answer. */
  start(): Promise<void>
  /** Starts a server that may not answer; resolves to whether it does. */
  tryStart(): Promise<boolean>
  /** Whether nothing listens on its port; throws `OutOfScope` if that cannot be observed. */
  refusesConnections(): Promise<boolean>
  stop(): Promise<void>
  crash(): Promise<void>
  /** `stop` and `start`. */
  restart(): Promise<void>
  /** Changes settings from the next start on. */
  configure(changes: LaunchSettings): Promise<void>
  hasRulesFile(): Promise<boolean>
  deleteRulesFile(): Promise<void>
  writeRulesFile(text: string): Promise<void>
}

export interface LaunchSettings {
  /** The `Copy_N` parameters by their full names. Default: none. */
  readonly copy?: Readonly<Record<string, string>>
  /** `API_Key`; `null` leaves the parameter out. Default: a key of the kit. */
  readonly apiKey?: string | null
  /** Used only if the capacity of the server can be chosen. */
  readonly capacity?: number
  /** How the server learns its port. Default: by `TCK_PORT` and `API_Port`. */
  readonly port?: 'parameter' | 'default'
  /**
   * The list at the first start. `fresh`: there is no rules file, so it holds the rules of `copy`. `empty`: no rules.
   * `any`: it may hold foreign rules, whatever `copy` says; the only possible value for a server whose parameters and
   * rules file cannot be changed. Default: `fresh` if other settings are given, otherwise `empty`.
   */
  readonly list?: 'fresh' | 'empty' | 'any'
}

/** Prepares a server; it runs only after `start`. */
export type Prepare = (settings?: LaunchSettings) => Promise<LaunchedServer>
