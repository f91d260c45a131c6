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
import type { Trials } from './trials.ts'

/** One API that can be under test. A further API is one more value of this type. */
export interface ApiUnderTest<Opened extends OpenApi = OpenApi> extends Api {
  /** What the options say about a server of this API; null where none is judged. */
  choose(options: RunOptions): ChosenApi<Opened> | null
  /** The server of the options for `doctor`; null for none that runs already. `hasKey` is false where no key was given. */
  examined?(options: RunOptions, hasKey: boolean): Promise<ExaminedServer | null>
  /** Its simulator with each defect, for the self-test: loaded only there, since a run must start fast. */
  trials(): Promise<Trials>
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
  readonly api: Api
  readonly kind: 'simulator' | 'url' | 'exec' | 'container'
  readonly url: string
  readonly transport: Transport
  readonly capabilities: readonly Capability[]
  /** What may be done to it. `inspect` lowers it where the list cannot be read. */
  readonly risk: Risk
  /** How it is judged. */
  readonly settings: ApiSettings
  /** Starts and stops servers of this API; null where the kit cannot. */
  readonly driver: Driver | null
  /** The base URLs of the servers that the kit has started and that run. */
  running(): readonly string[]
  /** The name and version that it reports; null where it has none, and until `inspect`. */
  readonly identity: { readonly name: string; readonly version: string } | null
  /** The server in a few words, for the line before the work begins. */
  describe(): string
  /**
   * Looks at it before anything is judged. Sends only GET.
   *
   * @throws {UnreachableError} when nothing answers, or the key is rejected
   * @throws {UsageError} when the list holds rules with logins that the kit would use
   */
  inspect(): Promise<void>
  /** Which of these checks of this API are run. */
  plan(checks: readonly Case[]): readonly PlannedCheck[]
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
  verify(): Promise<Partial<Verification>>
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
  readonly settings: ApiSettings
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

/** The titles of all cases of these APIs. */
export function titlesOf(apis: readonly OpenApi[]): ReadonlyMap<string, string> {
  return new Map(apis.flatMap(({ api }) => api.cases).map(({ id, title }) => [id, title]))
}
