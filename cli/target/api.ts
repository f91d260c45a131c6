import type { AccountsRecord, Harm } from '../../reports/report.ts'
import type { Question } from '../../spec/question.ts'
import type { Requirement } from '../../spec/requirement.ts'
import type { Transport } from '../../suites/client/transport.ts'
import type { RunContext, RunSettings } from '../../suites/runner/context.ts'
import type { PlannedCheck } from '../../suites/runner/plan.ts'
import type { ApiSettings, Shared } from '../../suites/runner/shared.ts'
import type { ApiName, Capability, Case, Check, Observation, Risk } from '../../suites/session/check.ts'
import type { Driver } from '../../suites/targets/driver.ts'
import type { OwnDriver } from '../../suites/targets/own-servers.ts'
import type { RunOptions } from '../options/run-options.ts'

/** One API that can be under test. A further API is one more value of this type. */
export interface ApiUnderTest<Opened extends OpenApi = OpenApi> {
  readonly name: ApiName
  readonly requirements: readonly Requirement[]
  readonly questions: readonly Question[]
  readonly checks: readonly (Check<never> | Observation<never>)[]
  /** What the options say about a server of this API; null where none is judged. */
  choose(options: RunOptions): ChosenApi<Opened> | null
}

/** A server that was chosen and not reached yet, with its key and secrets. */
export interface ChosenApi<Opened extends OpenApi = OpenApi> extends Pick<ApiSettings, 'target' | 'secrets'> {
  /**
   * Starts what is to be started. Sends nothing to a server that runs already.
   *
   * @throws {UsageError} when an earlier run has to be restored first
   * @throws {UnreachableError} when a server that the kit starts does not answer
   */
  open(terms: SessionTerms): Promise<Opened>
}

/** What the APIs of one target session share. */
export interface SessionTerms {
  readonly options: RunOptions
  readonly shared: Shared
  readonly startedAt: Date
  /** Ends the session early. */
  readonly signal: AbortSignal
}

/** A server of one API, from when it was opened until it is closed. */
export interface OpenApi {
  readonly api: ApiUnderTest
  readonly kind: 'simulator' | 'url' | 'exec' | 'container'
  readonly url: string
  readonly transport: Transport
  readonly capabilities: readonly Capability[]
  /** What may be done to it. `inspect` lowers it where the list cannot be read. */
  readonly risk: Risk
  /** How it is judged, under the name of its API. */
  readonly settings: Partial<RunSettings>
  /** Starts and stops servers of this API; null where the kit cannot. */
  readonly driver: Driver | null
  /** The server in a few words, for the line before the work begins. */
  describe(): string
  /**
   * Looks at it before anything is judged. Sends only GET.
   *
   * @throws {UnreachableError} when nothing answers, or the key is rejected
   * @throws {UsageError} when the list holds rules with logins that the kit would use
   */
  inspect(): Promise<void>
  /** Which of these checks are run. Checks of other APIs are left out. */
  plan(cases: readonly Case[]): readonly PlannedCheck[]
  /** Starts a simulator that stands for it in a dry run. */
  simulate(): Promise<SimulatedApi>
  /** How many writes a run sends to the list of rules. */
  estimateWrites(plan: readonly PlannedCheck[]): WriteEstimate
  /** How long a run takes. Sends only GET. Null where that is not known. */
  estimateDuration(plan: readonly PlannedCheck[]): Promise<DurationEstimate | null>
  /** What a run would create that cannot be removed again, as a sentence; null if nothing. */
  createdByRun(plan: readonly PlannedCheck[]): string | null
  /**
   * Says what is about to be written to a foreign server, asks for consent where a person can give
   * it, and opens the ledger.
   *
   * @throws {UsageError} when consent is refused; nothing was written then
   */
  consent(plan: readonly PlannedCheck[], writes: WriteEstimate): Promise<void>
  /** Removes what the kit has left behind, and says how the server was left. */
  verify(context: RunContext): Promise<Partial<Verification>>
  /** Ends what was started. */
  close(): Promise<void>
}

/** How many writes a command sends to a list of rules, clean-up included. */
export interface WriteEstimate {
  /** About how many; null where only the most is known. */
  readonly usual: number | null
  /** The guard stops the command before it sends more. */
  readonly most: number
}

/** About how long a run takes: the time to the server and back, so many times. */
export interface DurationEstimate {
  readonly durationMs: number
  readonly roundTrips: number
  readonly roundTripMs: number
}

/** A simulator in this process in place of a server. */
export interface SimulatedApi {
  readonly settings: Partial<RunSettings>
  readonly driver: OwnDriver | null
  stop(): Promise<void>
}

/** How the servers of a session were left. */
export interface Verification {
  /** Null where no list was read. */
  readonly harm: Harm | null
  /** What was created on a foreign platform; null where none is judged. */
  readonly accounts: AccountsRecord | null
}
