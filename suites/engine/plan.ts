import picomatch from 'picomatch'
import type { Capability, Case, Risk } from './check.ts'

/** A check that was chosen, and why it cannot be run if it cannot. */
export interface PlannedCheck {
  readonly id: string
  /** Null for a check that is run. */
  readonly outOfScope: string | null
}

export interface PlanOptions {
  readonly checks: readonly Case[]
  readonly risk: Risk
  readonly capabilities: readonly Capability[]
  /** Globs over ids of checks, requirements and questions; empty for all. */
  readonly only: readonly string[]
  readonly skip: readonly string[]
}

const riskOrder: readonly Risk[] = ['read', 'write', 'exclusive']

const capabilityReasons: Readonly<Record<Capability, string>> = {
  launch: 'the kit cannot start this server with parameters of its own: use --exec',
  crash: 'the kit cannot kill this server: use --exec',
  'rules-file': 'the kit cannot reach the rules file of this server: use --exec',
  capacity: 'the kit cannot choose the capacity of this server',
  'stated-capacity': 'the capacity of this server is not known: state it with --capacity',
}

/**
 * The checks of a run in the order in which they are run: those that do the least first, and those
 * that need a full list together at the end. What was not chosen is left out.
 */
export function plan({ checks, risk, capabilities, only, skip }: PlanOptions): readonly PlannedCheck[] {
  const isWanted = only.length === 0 ? () => true : picomatch([...only])
  const isSkipped = skip.length === 0 ? () => false : picomatch([...skip])
  const matches = (check: Case, test: (id: string) => boolean) => namesOf(check).some((name) => test(name))
  return checks
    .filter((check) => matches(check, isWanted) && !matches(check, isSkipped))
    .toSorted((a, b) => riskOrder.indexOf(a.risk) - riskOrder.indexOf(b.risk))
    .map((check) => ({ id: check.id, outOfScope: whyNot(check, risk, capabilities) }))
}

function namesOf(check: Case): readonly string[] {
  if ('about' in check) return [check.id, check.about]
  return [check.id, 'requirement' in check ? check.requirement : check.question]
}

function whyNot(check: Case, risk: Risk, capabilities: readonly Capability[]): string | null {
  if (riskOrder.indexOf(check.risk) > riskOrder.indexOf(risk)) return `it needs --risk ${check.risk}`
  const missing = check.needs?.find((need) => !capabilities.includes(need))
  return missing === undefined ? null : capabilityReasons[missing]
}
