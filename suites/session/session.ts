import type { FailedExpectation } from '../assertions/failure.ts'
import type { RawClient } from '../client/raw.ts'
import type { HttpResponse } from '../client/response.ts'
import type { Filled, Growth } from './fill.ts'
import type { Plugin, PluginRequest } from './plugin.ts'
import type { Rules } from './rules.ts'

/** Findings about a server for checks over the whole run: the first of each kind. */
export interface Seen {
  /** The failure of the server that kept a check from being judged. */
  readonly blockingFailure?: FailedExpectation | null
  /** An unrequested change of a list. */
  readonly unrequestedChange?: FailedExpectation | null
  /** An error response that is not `{ error: string }`. */
  readonly malformedError?: FailedExpectation | null
  /** A list whose `total` is not the number of its rules. */
  readonly wrongTotal?: FailedExpectation | null
  /** A successful response with a JSON object that is not `application/json`. */
  readonly wrongMediaType?: FailedExpectation | null
  /** A successful response to POST or DELETE with `success: false`. */
  readonly unsuccessfulChange?: FailedExpectation | null
}

/** Everything that a check of the plugin may use. Rules that it adds to the target are removed after it. */
export interface Session {
  readonly plugin: Plugin
  readonly rules: Rules
  readonly raw: RawClient
  /** The target in raw requests. The origin is the scheme and the host. */
  readonly address: { readonly origin: string; readonly host: string; readonly prefix: string }
  readonly key: string
  newKey(): string
  /** The given capacity; null if unknown. */
  readonly capacity: number | null
  /** Whether the check may send writes. */
  readonly mayWrite: boolean
  /** Whether the kit itself started the target. */
  readonly owned: boolean
  readonly seed: number
  /** The factor by which random checks run longer; at least 1. */
  readonly thorough: number
  /** Throws the first finding of this kind in the run, if there is one. */
  throwSeen(kind: keyof Seen): void
  /** What checks share, so that a foreign server gets the requests only once. Empty for a repeated check. */
  readonly known: {
    /** Null if the requests must be sent. */
    find(what: string): readonly SharedExchange[] | null
    store(what: string, exchanges: readonly SharedExchange[]): void
  }
  readonly copySyntax: string
  /** Fills the list of the target until it rejects a rule. */
  fill(options?: Pick<Growth, 'judgesRejections'>): Promise<Filled>
  fillServer(server: LaunchedServer): Promise<Filled>
  /** Prepares a server for this check; it runs only after `start`. */
  prepare(settings?: LaunchSettings): Promise<LaunchedServer>
  /** Prepares and starts one; throws `CannotArrange` if it does not answer. */
  launch(settings?: LaunchSettings): Promise<LaunchedServer>
}

/** A request that several checks judge. */
export interface SharedExchange {
  readonly request: PluginRequest
  readonly response: HttpResponse
  /** The list before and after it; empty if it was not read. */
  readonly lists: readonly HttpResponse[]
}

/** A server whose life cycle a check controls, with exclusive access. */
export interface LaunchedServer extends Pick<Session, 'plugin' | 'rules' | 'raw' | 'address' | 'key'> {
  readonly url: string
  /** The highest number of `Copy_N` so far. */
  readonly copied: number
  withKey(key: string): Pick<Session, 'plugin' | 'rules'>
  /** Starts it; throws `CannotArrange` if it does not answer. */
  start(): Promise<void>
  /** Starts a server that may not answer; resolves to whether it does. Default: a brief wait. */
  tryStart(wait?: 'ready' | 'brief'): Promise<boolean>
  /** Whether nothing listens on its port; throws `OutOfScope` if that cannot be observed. */
  refusesConnections(): Promise<boolean>
  stop(): Promise<void>
  crash(): Promise<void>
  /** Stops it and starts it again, with these settings changed. */
  restart(changes?: LaunchSettings): Promise<void>
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
  readonly port?: 'high' | 'parameter' | 'default'
  /**
   * The list at the first start. `fresh`: there is no rules file, so it holds the rules of `copy`. `empty`: no rules.
   * `any`: it may hold foreign rules, whatever `copy` says. Default: `fresh` if other settings are given, otherwise
   * `empty`.
   */
  readonly list?: 'fresh' | 'empty' | 'any'
}
