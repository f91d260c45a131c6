import picomatch from 'picomatch'
import { type Capability, type Case, capabilityReasons, type Risk, risks } from '../session/check.ts'
import { notRun, type Outcome } from './outcome.ts'

export interface PlannedCheck {
  readonly id: string
  /** Null for a check that is run. */
  readonly outOfScope: string | null
  /** Set if few runs can judge this server by the check: it is not applicable rather than out of scope. */
  readonly notApplicable?: true
}

export interface PlanOptions {
  readonly checks: readonly Case[]
  readonly risk: Risk
  readonly capabilities: readonly Capability[]
  readonly missing?: MissingCapabilities
  /** Whether the server that checks restart has foreign rules. Such checks are then run last, as `exclusive`. */
  readonly shared?: boolean
  /** Globs for ids of checks, requirements and questions; empty for all. */
  readonly only: readonly string[]
  readonly skip: readonly string[]
  /** The maximum number of requests that may create an account on a platform. Default: no limit. */
  readonly mostAccounts?: number
}

export type MissingCapabilities = Readonly<Partial<Record<Capability, string>>>

/** Capabilities that most runs lack: the capacity can be unknown, and few platforms are disposable. */
const beyondMostRuns: readonly Capability[] = ['stated-capacity', 'disposable-platform']

/** The chosen checks, those that change the least first, and those that need a full list together at the end. */
export function plan({ checks, only, skip, mostAccounts = Number.POSITIVE_INFINITY, ...options }: PlanOptions) {
  const spend = createAllowance(mostAccounts)
  const isWanted = only.length === 0 ? () => true : picomatch([...only])
  const isSkipped = skip.length === 0 ? () => false : picomatch([...skip])
  const matches = (check: Case, test: (id: string) => boolean) => test(check.id) || test(subjectOf(check))
  return checks
    .filter((check) => matches(check, isWanted) && !matches(check, isSkipped))
    .toSorted((a, b) => weight(a, options) - weight(b, options))
    .map((check): PlannedCheck => {
      const lacking = check.needs?.filter((need) => !options.capabilities.includes(need)) ?? []
      const beyond = 'requirement' in check && lacking.find((need) => beyondMostRuns.includes(need))
      if (beyond) return { id: check.id, outOfScope: capabilityReasons[beyond], notApplicable: true }
      return { id: check.id, outOfScope: outOfScopeReason(check, lacking, options) ?? spend(check) }
    })
}

/** The outcome of a check that is not run because of the plan; null for any other. */
export function leftOut({ id, outOfScope, notApplicable }: PlannedCheck): Outcome | null {
  return outOfScope === null ? null : notRun(id, notApplicable ? 'not-applicable' : 'out-of-scope', outOfScope)
}

/** The cases that a plan runs. */
export function casesIn<Any extends Case>(planned: readonly PlannedCheck[], cases: readonly Any[]): readonly Any[] {
  const run = new Set(planned.filter(({ outOfScope }) => outOfScope === null).map(({ id }) => id))
  return cases.filter(({ id }) => run.has(id))
}

/** Allots accounts to the checks in order. Checks for which none are left are not run. */
function createAllowance(mostAccounts: number): (check: Case) => string | null {
  let left = mostAccounts
  let hasSample = false
  return ({ creates }) => {
    if (creates === undefined) return null
    const needed = (hasSample ? 0 : 1) + (creates === 'sample' ? 0 : creates)
    const accounts = needed === 1 ? '1 demo account' : `${needed} demo accounts`
    if (needed > left) return `it may create ${accounts} more than allowed: see --max-accounts`
    left -= needed
    hasSample = true
    return null
  }
}

/** How much a check changes the target. Checks that need exclusive access come last. */
function weight(check: Case, options: Pick<PlanOptions, 'shared'>): number {
  if (check.concludes && !options.shared) return risks.length * 10
  // On a server with foreign rules it is run before the checks that give the server another key.
  if (check.concludes && check.risk === 'read') return risks.indexOf('exclusive') * 10 + takesKey - 1
  // Progress is shown in this order, and these checks run when the others have ended.
  if (check.alone && !options.shared) return risks.length * 10 - 1
  return risks.indexOf(riskOf(check, options)) * 10 + (options.shared ? takes(check) : 0)
}

/** The weight of a check that gives the server another key. */
const takesKey = 3

/** 0 for a check that restarts nothing, up to 4 for one that removes the foreign rules from the list. */
function takes({ needs = [] }: Case): number {
  if (needs.includes('launch')) return takesKey + 1
  if (needs.includes('parameters')) return takesKey
  return needs.includes('restart') ? 1 : 0
}

function riskOf(check: Case, { shared }: Pick<PlanOptions, 'shared'>): Risk {
  return shared && takes(check) > 0 ? 'exclusive' : check.risk
}

function subjectOf(check: Case): string {
  if ('about' in check) return check.about
  return 'requirement' in check ? check.requirement : check.question
}

/** A missing capability comes first, since another `--risk` would not provide it. */
function outOfScopeReason(
  check: Case,
  [lacking]: readonly Capability[],
  { missing, ...options }: Pick<PlanOptions, 'risk' | 'shared' | 'missing'>,
): string | null {
  if (lacking !== undefined) return missing?.[lacking] ?? capabilityReasons[lacking]
  const needed = riskOf(check, options)
  return risks.indexOf(needed) > risks.indexOf(options.risk) ? `it needs --risk ${needed}` : null
}
