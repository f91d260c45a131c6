import type { AccountsRecord, Harm } from '../../reports/report.ts'
import type { Transport } from '../../suites/client/transport.ts'
import type { Api } from '../../suites/runner/define-api.ts'
import type { PlannedCheck } from '../../suites/runner/plan.ts'
import type { ApiSettings, Shared } from '../../suites/runner/shared.ts'
import type { Capability, Case, Risk } from '../../suites/session/check.ts'
import type { Driver } from '../../suites/targets/driver.ts'
import type { OwnDriver } from '../../suites/targets/own-servers.ts'
import type { RunOptions } from '../options/run-options.ts'
import type { ExaminedServer } from './examination.ts'
import type { Conditions, SelfTestParts } from './self-test.ts'

/** An API that can be under test. A further API is one more value of this type. */
export interface ApiUnderTest<Opened extends OpenApi = OpenApi> extends Api {
  /** The server of this API that the options choose; null if none is judged. */
  choose(options: RunOptions): ChosenApi<Opened> | null
  /** Its simulator with defects, for the self-test. Loaded only there, since a run must start fast. */
  selfTest(): Promise<SelfTestParts>
}

/** A chosen server with its key and secrets, before any request. */
export interface ChosenApi<Opened extends OpenApi = OpenApi> extends Pick<ApiSettings, 'target' | 'secrets'> {
  /** Starts the server if the kit has to. Sends nothing to a running one. @throws {UsageError} or {UnreachableError} */
  open(terms: SessionOptions): Promise<Opened>
  /**
   * Examines a running server for `doctor`. Sends only reads. Left out for a server that the kit starts. Without a key
   * only the examinations that need none run.
   */
  readonly examine?: (terms: ReadOptions, hasKey: boolean) => Promise<ExaminedServer>
}

/** What is known before a server is opened. */
export interface ReadOptions {
  readonly options: RunOptions
  readonly shared: Shared
}

export interface SessionOptions extends ReadOptions {
  readonly startedAt: Date
  readonly signal: AbortSignal
}

export interface OpenApi {
  readonly api: Api
  readonly kind: 'simulator' | 'url' | 'exec' | 'container'
  readonly url: string
  readonly transport: Transport
  readonly capabilities: readonly Capability[]
  /** What may be done to it. `inspect` lowers the risk if the list cannot be read. */
  risk: Risk
  readonly settings: ApiSettings
  /** What simulators need to be judged like this server, after `inspect`. */
  conditions(): Conditions
  /** Starts and stops servers of this API; null if the kit cannot, or not before `consent`. */
  driver: Driver | null
  /** The base URLs of the running servers that its driver started. */
  running?(): readonly string[]
  /** The name and version that it reports; null if it reports none, and before `inspect`. */
  identity: { readonly name: string; readonly version: string } | null
  describe(): string
  /** Inspects the server before anything is judged. Sends only GET. @throws {UnreachableError} or {UsageError} */
  inspect(): Promise<void>
  plan(checks: readonly Case[]): readonly PlannedCheck[]
  /** Starts a simulator that replaces it in a dry run. */
  simulate(): Promise<SimulatedApi>
  /** Estimates how many writes a run sends to a list. Left out if its writes are limited in another way. */
  estimateWrites?(plan: readonly PlannedCheck[]): WriteEstimate
  /** Estimates how long a run takes. Sends only GET. Null if unknown. */
  estimateDuration?(plan: readonly PlannedCheck[]): Promise<DurationEstimate | null>
  /** A sentence that says what a run would create that cannot be removed; null if nothing. */
  createdByRun?(plan: readonly PlannedCheck[]): string | null
  /** Announces the writes, asks for consent, and opens the ledger. @throws {UsageError} without consent */
  consent(plan: readonly PlannedCheck[], writes?: WriteEstimate): Promise<void>
  /** Removes what the kit left behind, and returns how the server was left. */
  verify(): Promise<Partial<Verification>>
  close(): Promise<void>
}

/** How many writes a command sends to a list of rules, clean-up included. */
export interface WriteEstimate {
  /** About how many; null if only the maximum is known. */
  readonly usual: number | null
  /** The maximum: the guard stops the command before it sends more. */
  readonly most: number
}

/** About how long a run takes: a number of round trips, and the time of one. */
type DurationEstimate = Readonly<Record<'durationMs' | 'roundTrips' | 'roundTripMs', number>>

/** A simulator in this process that replaces a server. */
export interface SimulatedApi {
  readonly settings: ApiSettings
  readonly driver: OwnDriver | null
  stop(): Promise<void>
}

export interface Verification {
  /** Null if no list was read. */
  readonly harm: Harm | null
  /** The accounts created on a foreign platform; null if none is judged. */
  readonly accounts: AccountsRecord | null
}
