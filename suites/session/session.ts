import type { FailedExpectation } from '../assertions/failure.ts'
import type { RawClient } from '../client/raw.ts'
import type { HttpResponse } from '../client/response.ts'
import type { Filled, Growth } from './fill.ts'
import type { Plugin } from './plugin.ts'
import type { Rules } from './rules.ts'
import type { LaunchedServer, LaunchSettings, Prepare } from './servers.ts'

/**
 * Responses that several checks of a run share, so that a foreign server gets the requests only once. Empty for a
 * server that the kit started, and for a repeated check.
 */
export interface KnownResponses {
  /** The responses to an earlier check, which the report shows for this one too; null if the requests must be sent. */
  find(what: string): readonly HttpResponse[] | null
  store(what: string, responses: readonly HttpResponse[]): void
}

/** Everything that a check of the plugin may use. Rules that it adds to the target are removed after it. */
export interface Session {
  /** Requests to the target. */
  readonly plugin: Plugin
  /** The rule list of the target. */
  readonly rules: Rules
  /** Sends raw bytes to the target. */
  readonly raw: RawClient
  /** Host and path prefix of the target, for raw requests. */
  readonly address: { readonly host: string; readonly prefix: string }
  /** The correct key. */
  readonly key: string
  /** A new key. */
  newKey(): string
  /** The given capacity; null if unknown. */
  readonly capacity: number | null
  /** Whether the check may send writes. */
  readonly mayWrite: boolean
  /** Whether the kit itself started the target. */
  readonly owned: boolean
  /** The seed of everything random. */
  readonly seed: number
  /** The factor by which random checks run longer; at least 1. */
  readonly thorough: number
  /** The first failure of the server that kept a check of this run from being judged; null if there is none. */
  blockingFailure(): FailedExpectation | null
  /** The first unrequested change of a list in this run; null if there is none. */
  unrequestedChange(): FailedExpectation | null
  /** The first error response of this run that is not `{ error: string }`; null if there is none. */
  malformedError(): FailedExpectation | null
  readonly known: KnownResponses
  /** The syntax of a `Copy_N` value of the target. */
  readonly copySyntax: string
  /** Fills the list of the target until it rejects a rule. */
  fill(options?: Pick<Growth, 'judgesRejections'>): Promise<Filled>
  /** Fills the list of a server that the check prepared. */
  fillServer(server: LaunchedServer): Promise<Filled>
  /** Prepares a server for this check without starting it. */
  readonly prepare: Prepare
  /** Prepares and starts one; throws `CannotArrange` if it does not answer. */
  launch(settings?: LaunchSettings): Promise<LaunchedServer>
}
