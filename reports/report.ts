import type { Level } from '../spec/requirement.ts'
import type { Exchange } from '../suites/client/exchange.ts'
import type { Outcome, Status } from '../suites/runner/outcome.ts'
import type { RequirementStatus } from './requirement-status.ts'

/** `partial`: no failure counts, but not every `required` requirement was fully judged. */
export type Verdict = 'conformant' | 'partial' | 'non-conformant' | 'incomplete'

/** The content of `report.json`, described by `report.schema.json`. */
export interface Report {
  readonly schema: 'copytrade-tck/report@1'
  readonly kit: { readonly name: string; readonly version: string; readonly requirementsVersion: string }
  readonly target: {
    readonly kind: 'simulator' | 'url' | 'exec' | 'container'
    readonly url: string
    readonly plugin: { readonly name: string; readonly version: string } | null
    /** The stated capacity; absent if it was not stated. */
    readonly capacity?: number
    /** How a foreign server was reached; absent if the kit started the server. */
    readonly connection?: Connection
  }
  readonly scope: {
    readonly risk: 'read' | 'write' | 'exclusive'
    readonly capabilities: readonly string[]
    readonly only: readonly string[]
    readonly skip: readonly string[]
    /** Whether levels below `required` decided the verdict too. */
    readonly strict: boolean
    /** Whether a requirement out of scope made the verdict incomplete. */
    readonly complete: boolean
    /** How many faults of the catalogue the judged checks can notice. */
    readonly knownFaults?: { readonly noticeable: number; readonly total: number }
  }
  readonly seed: number
  /** ISO 8601, UTC. */
  readonly startedAt: string
  readonly durationMs: number
  readonly verdict: Verdict
  /** One sentence that explains the verdict. */
  readonly explanation: string
  /** The confirmed faults, then those nearest to the unexplained failures. */
  readonly diagnosis: readonly Diagnosis[]
  /** Level to status to the number of requirements. */
  readonly summary: Readonly<Record<Level, Readonly<Record<RequirementStatus, number>>>>
  readonly requirements: readonly ReportedRequirement[]
  readonly observations: readonly ReportedObservation[]
  /** Of all successful requests of the run, by documented operation. */
  readonly responseTimes: readonly ResponseTime[]
  /** What the run did to the list; null if no list could be read. */
  readonly harm: Harm | null
  /** The platform that was judged; null if none was. */
  readonly platform: PlatformRecord | null
  /** The comparison with a baseline of known failures; null without one. */
  readonly gate: GateRecord | null
  /** How the answers compare with those of a profile; null without one. */
  readonly drift: DriftRecord | null
}

/** A fault of the catalogue that may explain failures. It does not affect the verdict. */
export interface Diagnosis {
  /** The id of the defect. */
  readonly defects: readonly string[]
  /** What it does, as a sentence. */
  readonly summaries: readonly string[]
  /**
   * Whether a simulator fails in the same way with all confirmed faults, but not without this one. Otherwise it is only
   * recorded to fail the same checks.
   */
  readonly confirmed: boolean
  /** Ids of the failed checks that fail in the same way with this fault; if not confirmed, in any way. */
  readonly explains: readonly string[]
  /** Ids of the failed checks that neither this nor another confirmed fault explains. */
  readonly unexplained: readonly string[]
  /** Defects that have the same effect. */
  readonly alternatives: readonly string[]
  /** Ids of the checks that fail with all confirmed faults, but passed or failed in another way in the run. */
  readonly besides: readonly string[]
  /** How many of the passed checks also pass with all confirmed faults. */
  readonly passing: number
  /** From 0 to 1: the share of the failures that it explains. */
  readonly score: number
}

export interface Connection {
  /** Whether certificates were accepted without verification. */
  readonly insecure: boolean
  /** The forward proxy, without user and password; null for none. */
  readonly proxy: string | null
}

/** A platform API under judgement, besides a plugin or alone. */
export interface PlatformRecord {
  readonly kind: 'simulator' | 'url'
  readonly url: string
  readonly risk: 'read' | 'write' | 'exclusive'
  /** How a foreign platform was reached; absent if the kit started it. */
  readonly connection?: Connection
  /** Whether no plugin was judged. If so, `target` is the platform, and there is no list of rules. */
  readonly alone: boolean
  /** What was created on a foreign platform; null for one that the kit started. */
  readonly accounts: AccountsRecord | null
}

/** Accounts that the run created. They cannot be removed through the API. */
export interface AccountsRecord {
  /** Null without a group, when no account is created. */
  readonly group: string | null
  /** The announced maximum. */
  readonly most: number
  /** Names of the accounts whose creation was acknowledged. */
  readonly created: readonly string[]
  /** Names of the accounts whose creation got no response, or an ambiguous one. */
  readonly uncertain: readonly string[]
}

export interface ReportedRequirement {
  readonly id: string
  readonly clause: string
  readonly level: Level
  readonly statement: string
  readonly consequence: string
  readonly status: RequirementStatus
  /** Why no check of it was in the run; null if at least one was. */
  readonly reason: string | null
  readonly checks: readonly ReportedCheck[]
}

export interface ReportedCheck {
  readonly id: string
  readonly title: string
  readonly status: Status
  readonly durationMs: number
  /** The permanent code of a failed expectation; null otherwise. */
  readonly code: string | null
  /** The facts of a failed expectation, `difference` without anything that changes from run to run; null otherwise. */
  readonly data: Outcome['data']
  /** The confirmed fault that explains this failure, or several that each could; absent if none does. */
  readonly explainedBy?: readonly string[]
  readonly message: string | null
  readonly expected: string | null
  readonly actual: string | null
  /** The request with the wrong response as a shell command; null if it alone does not show the failure. */
  readonly curl: string | null
  /**
   * A shell script that exits with 1 if the server has the failure, with 0 if it does not, and with 2 if the server is
   * in another state or requests alone cannot show it. Absent if nothing failed.
   */
  readonly script?: string
  /** Some defects that this check fails for, the most telling first; absent if it has not failed. */
  readonly provenBy?: readonly string[]
  /** Id of the exchange whose response is wrong; absent if nothing failed, or nothing was sent. */
  readonly decidedBy?: string
  readonly exchanges: readonly Exchange[]
  /**
   * The number of exchanges left out: too many of one check or, without `--evidence all`, those that did not decide it.
   */
  readonly exchangesOmitted: number
}

export interface ReportedObservation {
  readonly question: string
  /** Id of the check that observed it. */
  readonly check: string
  /** `passed` for any observed answer; another status says why there is none. */
  readonly status: Status
  readonly clause: string
  /** The question as text. */
  readonly text: string
  /** Answer id; null if it was not observed or is not a known one. */
  readonly answer: string | null
  /** The default answer of the simulator. */
  readonly default: string
  /** What the answer means, what was observed instead, or why it was not observed. */
  readonly message: string | null
  readonly exchanges: readonly Exchange[]
  /** How many exchanges were left out. */
  readonly exchangesOmitted: number
}

/** How long the responses of an operation took. */
export interface ResponseTime {
  /** E.g. `DELETE /api/rules/{index}`. */
  readonly operation: string
  readonly responses: number
  readonly medianMs: number
  /** 95 % of the responses took at most this long; absent in reports of earlier versions. */
  readonly p95Ms?: number
  /** The longest; absent in reports of earlier versions. */
  readonly maxMs?: number
}

/** The comparison with a baseline. It affects the exit code, not the verdict. */
export interface GateRecord {
  /** Path of the baseline, as it was given. */
  readonly baseline: string
  /** The deviations, which fail the run. */
  readonly findings: readonly BaselineDeviation[]
  /** Failures that are known. */
  readonly excused: readonly KnownFailureRecord[]
}

export interface BaselineDeviation {
  /**
   * A failure that is not listed, a listed check that passes, a listed check that fails in another way, an expired
   * entry, an entry with an unknown check.
   */
  readonly kind: 'new-failure' | 'stale' | 'changed' | 'expired' | 'unknown-check'
  /** Id of the check. */
  readonly check: string
  /** The rest of a sentence that begins with the id of the check. */
  readonly message: string
}

export interface KnownFailureRecord {
  /** Id of the check. */
  readonly check: string
  /** Why it is accepted. */
  readonly reason: string
  /** Who is responsible for it; null if not stated. */
  readonly owner: string | null
  /** The last day on which it is accepted, `YYYY-MM-DD` in UTC; null if it never expires. */
  readonly expires: string | null
}

/** The comparison of the answers with those of a profile. It affects only the exit code, and only with `strict`. */
export interface DriftRecord {
  /** Path of the profile, as it was given. */
  readonly profile: string
  /** The number of answers that equal the profile's. */
  readonly agreeing: number
  /** Questions with an answer in the profile but not in the run. */
  readonly unanswered: readonly string[]
  readonly findings: readonly DriftedAnswer[]
}

export interface DriftedAnswer extends Pick<ReportedObservation, 'question' | 'check' | 'clause' | 'text' | 'message'> {
  /** Id of the answer that the profile gives. */
  readonly expected: string
  /** Id of the observed answer; null if it is not a known one. */
  readonly answer: string | null
}

/** Rule counts and SHA-256 of the list before the first and after the last request. */
export interface Harm {
  readonly rulesBefore: number
  readonly rulesAfter: number
  readonly hashBefore: string
  readonly hashAfter: string
  readonly restored: boolean
  /** What differs and how to fix it, one line each; empty when restored. */
  readonly differences: readonly string[]
  /** Concurrent edits of the list during the run, one line each. */
  readonly interference: readonly string[]
  /** Whether the target did not respond at the end of the run. */
  readonly unreachable: boolean
}
