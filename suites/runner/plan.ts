import picomatch from 'picomatch'
import type { Capability, Case, Risk } from '../session/check.ts'

/** A check that was chosen, and why it cannot be run if it cannot. */
export interface PlannedCheck {
  readonly id: string
  /** Null for a check that is run. */
  readonly outOfScope: string | null
  /** No run could judge this server by it: it is not applicable rather than out of scope. */
  readonly notApplicable?: true
}

export interface PlanOptions {
  readonly checks: readonly Case[]
  readonly risk: Risk
  readonly capabilities: readonly Capability[]
  /** What is missing for a capability, where the driver knows better than the kit in general. */
  readonly missing?: MissingCapabilities
  /**
   * Whether the server that checks restart holds foreign rules: such checks are then run last, as `exclusive`, those
   * that leave these rules in the list first.
   */
  readonly shared?: boolean
  /** Globs over ids of checks, requirements and questions; empty for all. */
  readonly only: readonly string[]
  readonly skip: readonly string[]
  /** The most requests that may create an account on a platform; left out if it does not matter. */
  readonly mostAccounts?: number
}

/** Reasons by capability. */
export type MissingCapabilities = Readonly<Partial<Record<Capability, string>>>

const riskOrder: readonly Risk[] = ['read', 'write', 'exclusive']

const capabilityReasons: Readonly<Record<Capability, string>> = {
  launch: 'the kit cannot start this server with parameters of its own: use --exec or --container',
  restart: 'the kit cannot restart this server: use --exec or --container',
  parameters: 'the kit cannot set the parameters of this server: use --exec or --container',
  port: 'the kit cannot choose the port of this server: use --exec or --container',
  crash: 'the kit cannot kill this server: use --exec or --container',
  'delete-rules-file': 'the kit cannot delete the rules file of this server: use --exec or --container',
  'rules-file': 'the kit cannot see the rules file of this server: use --exec or --container',
  capacity: 'the kit cannot choose the capacity of this server',
  'stated-capacity': 'the capacity of this server is not known: state it with --capacity',
  platform: 'no platform is judged: give --platform-url',
  'platform-secret': 'the secret of the platform is not known: set TCK_PLATFORM_SECRET or give --platform-secret-file',
  'platform-group': 'no group was given in which demo accounts may be created: give --group',
  'own-platform': 'it is sent only to a platform that the kit started: on another it might create or change anything',
}

/**
 * What no option of a run can give to a server: nothing was said about the capacity that could be
 * wrong, and a platform that the kit did not start stays one.
 */
const beyondAnyRun: readonly Capability[] = ['stated-capacity', 'own-platform']

/**
 * The checks of a run in the order in which they are run: those that do the least first, and those
 * that need a full list together at the end. What was not chosen is left out.
 */
export function plan({ checks, only, skip, mostAccounts = Number.POSITIVE_INFINITY, ...options }: PlanOptions) {
  const spend = createAllowance(mostAccounts)
  const isWanted = only.length === 0 ? () => true : picomatch([...only])
  const isSkipped = skip.length === 0 ? () => false : picomatch([...skip])
  const matches = (check: Case, test: (id: string) => boolean) => namesOfCheck(check).some((name) => test(name))
  return checks
    .filter((check) => matches(check, isWanted) && !matches(check, isSkipped))
    .toSorted((a, b) => weight(a, options) - weight(b, options))
    .map(
      (check): PlannedCheck =>
        notApplicable(check, options) ?? {
          id: check.id,
          outOfScope: outOfScopeReason(check, options) ?? spend(check),
        },
    )
}

/** Accounts are given to the checks in their order; who comes too late is not run. */
function createAllowance(mostAccounts: number): (check: Case) => string | null {
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

/** How much a check does to the target; those that take it from its owner come last. */
function weight(check: Case, options: Pick<PlanOptions, 'shared'>): number {
  if (check.concludes && !options.shared) return riskOrder.length * 10
  // On a server that holds foreign rules it is run before the checks that give the server another key.
  if (check.concludes && check.risk === 'read') return riskOrder.indexOf('exclusive') * 10 + takesKey - 1
  // Progress is shown in this order, and they run when the others have ended.
  if (check.alone && !options.shared) return riskOrder.length * 10 - 1
  return riskOrder.indexOf(riskOf(check, options)) * 10 + (options.shared ? takes(check) : 0)
}

/** The weight of a check that gives the server another key. */
const takesKey = 3

/** 0 for a check that restarts nothing, 4 for one that takes the foreign rules out of the list. */
function takes({ needs = [] }: Case): number {
  if (needs.includes('launch')) return takesKey + 1
  if (needs.includes('parameters')) return takesKey
  return needs.includes('restart') ? 1 : 0
}

function riskOf(check: Case, { shared }: Pick<PlanOptions, 'shared'>): Risk {
  return shared && takes(check) > 0 ? 'exclusive' : check.risk
}

function namesOfCheck(check: Case): readonly string[] {
  if ('about' in check) return [check.id, check.about]
  return [check.id, 'requirement' in check ? check.requirement : check.question]
}

function notApplicable(check: Case, { capabilities }: Pick<PlanOptions, 'capabilities'>): PlannedCheck | null {
  const isBeyond = (need: Capability) => beyondAnyRun.includes(need) && !capabilities.includes(need)
  const lacking = 'requirement' in check && check.needs?.find(isBeyond)
  return lacking ? { id: check.id, outOfScope: capabilityReasons[lacking], notApplicable: true } : null
}

/** What the server lacks comes first: with another `--risk` it would be lacking anyway. */
function outOfScopeReason(check: Case, options: Omit<PlanOptions, 'checks' | 'only' | 'skip'>): string | null {
  const lacking = check.needs?.find((need) => !options.capabilities.includes(need))
  if (lacking !== undefined) return options.missing?.[lacking] ?? capabilityReasons[lacking]
  const needed = riskOf(check, options)
  return riskOrder.indexOf(needed) > riskOrder.indexOf(options.risk) ? `it needs --risk ${needed}` : null
}
