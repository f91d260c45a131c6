import { type Rule, sameContent } from '../../suites/model/rule.ts'
import { isWithin } from '../../suites/session/logins.ts'
import type { Terms } from '../../suites/twin/compare.ts'
import type { ComparisonStep } from '../../suites/twin/comparison-step.ts'
import { type Name, nameDivergence } from '../../suites/twin/name.ts'
import { type SearchResult, search } from '../../suites/twin/search.ts'
import type { Divergence } from '../../suites/twin/server-pair.ts'
import { stepsFor } from '../../suites/twin/steps.ts'
import type { OpenSide } from './sides.ts'

export interface SidesOptions {
  readonly target: OpenSide
  readonly twin: OpenSide
  readonly terms: Terms
  /** The initial list of both. */
  readonly before: readonly Rule[]
  readonly capacity: number | null
  readonly runs: number
  readonly maxRequests: number
  readonly signal: AbortSignal
  /** Default: all allowed steps. */
  readonly steps?: readonly ComparisonStep[]
}

/** The result; `name` is null where the servers never differed. */
export interface SidesCompared extends SearchResult {
  readonly name: Name | null
}

/** Searches for a difference between two servers, and names it. */
export async function compareSides(options: SidesOptions): Promise<SidesCompared> {
  const { target, twin, terms, before, capacity, runs, maxRequests, signal } = options
  const { risk, seed, logins, maxFill } = target.context.settings
  const withoutForeignRules = target.context.owned || before.length === 0
  const steps = options.steps ?? stepsFor({ risk, withoutForeignRules, capacity, maxFill, maxRequests })
  const searched = await search({
    target: target.side,
    twin: twin.side,
    terms,
    draft: target.context.draft,
    isOwn: (rule) => isWithin(logins, rule) && !before.some((known) => sameContent(known, rule)),
    capacity,
    steps,
    seed,
    runs,
    maxRequests,
    signal,
  })
  const { divergence } = searched
  return { ...searched, name: divergence && (await nameIt(divergence, steps, options)) }
}

async function nameIt(
  divergence: Divergence,
  steps: readonly ComparisonStep[],
  { target, twin }: SidesOptions,
): Promise<Name> {
  const step = steps.find((one) => one.id === divergence.step)
  if (step === undefined) return { kind: 'unlisted' }
  const name = await nameDivergence({ step, divergence, target: target.context, twin: twin.context })
  await target.side.reset()
  await twin.side.reset()
  return name
}
