import picomatch from 'picomatch'
import type { Capability, Check, Observation, Risk } from './check.ts'

/** A check that was chosen, and why it cannot be run if it cannot. */
export interface PlannedCheck {
  readonly id: string
  /** Null for a check that is run. */
  readonly outOfScope: string | null
}

export interface PlanOptions {
  readonly checks: readonly (Check | Observation)[]
  readonly risk: Risk
  readonly capabilities: readonly Capability[]
  /** Globs over ids of checks, requirements and questions; empty for all. */
  readonly only: readonly string[]
  readonly skip: readonly string[]
  /** The most requests that may create an account on a platform; left out where it does not matter. */
  readonly mostAccounts?: number
}

const riskOrder: readonly Risk[] = ['read', 'write', 'exclusive']

const capabilityReasons: Readonly<Record<Capability, string>> = {
  launch: 'the kit cannot start this server with parameters of its own: use --exec',
  crash: 'the kit cannot kill this server: use --exec',
  'rules-file': 'the kit cannot reach the rules file of this server: use --exec',
  capacity: 'the kit cannot choose the capacity of this server',
  'stated-capacity': 'the capacity of this server is not known: state it with --capacity',
  platform: 'no platform is judged: give --platform-url',
  'platform-secret': 'the secret of the platform is not known: set TCK_PLATFORM_SECRET or give --platform-secret-file',
  'platform-group': 'no group was given in which demo accounts may be created: give --group',
  'own-platform': 'it is sent only to a platform that the kit started: on another it might create or change anything',
}

/**
 * The checks of a run in the order in which they are run: those that do the least first, and those
 * that need a full list together at the end. What was not chosen is left out.
 */
export function plan(options: PlanOptions): readonly PlannedCheck[] {
  const { checks, risk, capabilities, only, skip, mostAccounts = Number.POSITIVE_INFINITY } = options
  const spend = createAllowance(mostAccounts)
  const isWanted = only.length === 0 ? () => true : picomatch([...only])
  const isSkipped = skip.length === 0 ? () => false : picomatch([...skip])
  const matches = (check: Check | Observation, test: (id: string) => boolean) =>
    namesOf(check).some((name) => test(name))
  return checks
    .filter((check) => matches(check, isWanted) && !matches(check, isSkipped))
    .toSorted((a, b) => riskOrder.indexOf(a.risk) - riskOrder.indexOf(b.risk))
    .map((check) => ({ id: check.id, outOfScope: whyNot(check, risk, capabilities) ?? spend(check) }))
}

/** Accounts are given to the checks in their order; who comes too late is not run. */
function createAllowance(mostAccounts: number): (check: Check | Observation) => string | null {
  let left = mostAccounts
  let hasSample = false
  return ({ creates }) => {
    if (creates === undefined) return null
    const needed = (hasSample ? 0 : 1) + (creates === 'sample' ? 0 : creates)
    if (needed > left) return `it may create ${needed} demo accounts more than allowed: see --max-accounts`
    left -= needed
    hasSample = true
    return null
  }
}

function namesOf(check: Check | Observation): readonly string[] {
  return [check.id, 'requirement' in check ? check.requirement : check.question]
}

function whyNot(check: Check | Observation, risk: Risk, capabilities: readonly Capability[]): string | null {
  if (riskOrder.indexOf(check.risk) > riskOrder.indexOf(risk)) return `it needs --risk ${check.risk}`
  const missing = check.needs?.find((need) => !capabilities.includes(need))
  return missing === undefined ? null : capabilityReasons[missing]
}
