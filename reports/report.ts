import type { Level } from '../spec/requirement.ts'
import type { Exchange } from '../suites/client/exchange.ts'
import type { Status } from '../suites/runner/outcome.ts'

export type Verdict = 'conformant' | 'non-conformant' | 'incomplete'

/** How a run ended, as `report.json` holds it. Described by `report.schema.json`. */
export interface Report {
  readonly schema: 'copytrade-tck/report@1'
  readonly kit: { readonly name: string; readonly version: string; readonly requirementsVersion: string }
  readonly target: {
    readonly kind: 'simulator' | 'url' | 'exec' | 'container'
    readonly url: string
    readonly plugin: { readonly name: string; readonly version: string } | null
    /** How a server of somebody else was reached; absent where the kit started the server. */
    readonly connection?: Connection
  }
  readonly scope: {
    readonly risk: 'read' | 'write' | 'exclusive'
    readonly capabilities: readonly string[]
    readonly only: readonly string[]
    readonly skip: readonly string[]
    /** Whether levels below `required` decided the verdict too. */
    readonly strict: boolean
    /** Whether anything out of scope made the verdict incomplete. */
    readonly complete: boolean
  }
  readonly seed: number
  /** ISO 8601, UTC. */
  readonly startedAt: string
  readonly durationMs: number
  readonly verdict: Verdict
  /** One sentence that explains the verdict. */
  readonly explanation: string
  /** Level to status to the number of requirements. */
  readonly summary: Readonly<Record<Level, Readonly<Record<Status, number>>>>
  readonly requirements: readonly ReportedRequirement[]
  readonly observations: readonly ReportedObservation[]
  /** What the run did to the list; null where no list could be read. */
  readonly harm: Harm | null
  /** The platform that was judged; null or absent where none was. */
  readonly platform?: PlatformRecord | null
  /** What a baseline of known failures makes of the run; null or absent without one. */
  readonly gate?: GateRecord | null
  /** How the answers compare with those of a profile; null or absent without one. */
  readonly drift?: DriftRecord | null
}

export interface Connection {
  /** Whether certificates were taken unseen. */
  readonly insecure: boolean
  /** The forward proxy, without user and password; null for none. */
  readonly proxy: string | null
}

/** A platform API under judgement, besides a plugin or alone. */
export interface PlatformRecord {
  readonly kind: 'simulator' | 'url'
  readonly url: string
  readonly risk: 'read' | 'write' | 'exclusive'
  /** How a platform of somebody else was reached; absent where the kit started it. */
  readonly connection?: Connection
  /** Whether no plugin was judged: then `target` is the platform, and there is no list of rules. */
  readonly alone: boolean
  /** What was created on the platform of somebody else; null for one that the kit started. */
  readonly accounts: AccountsRecord | null
}

/** Accounts that the run has created, and that nobody can remove through the API. */
export interface AccountsRecord {
  /** Null where no group was given, and so nothing could be created. */
  readonly group: string | null
  /** The most that were announced. */
  readonly most: number
  /** Names of those whose creation was acknowledged. */
  readonly created: readonly string[]
  /** Names of those of which nobody knows: their creation was not answered, or with neither yes nor no. */
  readonly uncertain: readonly string[]
}

export interface ReportedRequirement {
  readonly id: string
  readonly clause: string
  readonly level: Level
  readonly statement: string
  readonly consequence: string
  readonly status: Status
  /** Why no check of it was in the run; null where at least one was. */
  readonly reason: string | null
  readonly checks: readonly ReportedCheck[]
}

export interface ReportedCheck {
  readonly id: string
  readonly title: string
  readonly status: Status
  readonly durationMs: number
  readonly message: string | null
  readonly expected: string | null
  readonly actual: string | null
  readonly curl: string | null
  readonly exchanges: readonly Exchange[]
  readonly exchangesOmitted: number
}

export interface ReportedObservation {
  readonly question: string
  /** Id of the check that looked. */
  readonly check: string
  /** `passed` where it could look, whatever it saw; anything else says why the answer is not known. */
  readonly status: Status
  readonly clause: string
  /** The question in words. */
  readonly text: string
  /** Answer id; null where it could not be learned or is none of the known ones. */
  readonly answer: string | null
  /** The default answer of the simulator. */
  readonly default: string
  /** What the answer means, what was seen instead, or why it could not be learned. */
  readonly message: string | null
  readonly exchanges: readonly Exchange[]
}

/** The run against a baseline. The verdict knows nothing of it; the exit code does. */
export interface GateRecord {
  /** Path of the baseline, as it was given. */
  readonly baseline: string
  /** Everything that turns the run red. */
  readonly findings: readonly GateFinding[]
  /** Failures that are known. */
  readonly excused: readonly ExcusedFailure[]
}

export interface GateFinding {
  /**
   * A failure that is not listed, a listed check that passes, a listed one that fails in another
   * way, an entry beyond its last day, an entry about no check of the kit.
   */
  readonly kind: 'new-failure' | 'stale' | 'changed' | 'expired' | 'unknown-check'
  /** Id of the check. */
  readonly check: string
  /** What is the matter, in words that go on after the id of the check. */
  readonly message: string
}

export interface ExcusedFailure {
  /** Id of the check. */
  readonly check: string
  readonly reason: string
  readonly owner: string | null
  /** The last day on which it is accepted, `YYYY-MM-DD`. */
  readonly expires: string | null
}

/** The answers of the target against those of a profile. The verdict knows nothing of it; with `strict` the exit code does. */
export interface DriftRecord {
  /** Path of the profile, as it was given. */
  readonly profile: string
  /** How many answers are as the profile says. */
  readonly agreeing: number
  /** Questions that the profile answers and the run did not. */
  readonly unanswered: readonly string[]
  readonly findings: readonly DriftFinding[]
}

export interface DriftFinding extends Pick<ReportedObservation, 'question' | 'check' | 'clause' | 'text' | 'message'> {
  /** Id of the answer that the profile gives. */
  readonly expected: string
  /** Id of the answer that was seen; null if it is none of the known ones. */
  readonly answer: string | null
}

/** Rule count and SHA-256 of the list before the first and after the last request. */
export interface Harm {
  readonly rulesBefore: number
  readonly rulesAfter: number
  readonly hashBefore: string
  readonly hashAfter: string
  readonly restored: boolean
  /** What differs and how to mend it, in words, one line each; empty when restored. */
  readonly differences: readonly string[]
  /** What somebody else changed in the list during the run, one line each. */
  readonly interference: readonly string[]
  /** Whether the target answered no more when the run ended. */
  readonly unreachable: boolean
}
