import { type Rule, sameContent } from '../../suites/model/rule.ts'
import { isWithin } from '../../suites/session/logins.ts'
import { type Name, nameDivergence } from '../../suites/twin/name.ts'
import { type SearchOptions, type SearchResult, search } from '../../suites/twin/search.ts'
import type { Divergence } from '../../suites/twin/server-pair.ts'
import type { ComparisonStep } from '../../suites/twin/steps.ts'
import { stepsFor } from '../../suites/twin/steps.ts'
import type { OpenSide } from './sides.ts'

export interface SidesOptions
  extends Pick<SearchOptions, 'terms' | 'capacity' | 'runs' | 'maxRequests' | 'signal'>,
    Partial<Pick<SearchOptions, 'steps'>> {
  readonly target: OpenSide
  readonly twin: OpenSide
  /** The initial list of both. */
  readonly before: readonly Rule[]
}

/** The result; `name` is null where the servers never differed. */
export interface SidesCompared extends SearchResult {
  readonly name: Name | null
  /** The steps of the sequences. */
  readonly steps: readonly ComparisonStep[]
}

/** Searches for every difference: after each one it goes on without the step that showed it. The last one found none, unless the requests were used up. */
export async function compareAll(options: SidesOptions): Promise<readonly SidesCompared[]> {
  const all: SidesCompared[] = []
  let { maxRequests, steps } = options
  for (;;) {
    const compared = await compareSides({ ...options, ...(steps && { steps }), maxRequests })
    all.push(compared)
    steps = compared.steps.filter(({ id }) => id !== compared.divergence?.step)
    maxRequests -= compared.requests
    const goesOn = steps.length > 0 && steps.length < compared.steps.length
    if (!goesOn || maxRequests <= 0 || options.signal.aborted) return all
  }
}

/** Searches for a difference between two servers, and names it. */
export async function compareSides(options: SidesOptions): Promise<SidesCompared> {
  const { target, twin, before, ...rest } = options
  const { capacity, maxRequests } = rest
  const { risk, seed, logins, maxFill } = target.context.settings
  const withoutForeignRules = target.context.owned || before.length === 0
  // Default: all allowed steps.
  const steps = options.steps ?? stepsFor({ risk, withoutForeignRules, capacity, maxFill, maxRequests })
  const searched = await search({
    ...rest,
    target: target.side,
    twin: twin.side,
    draft: target.context.draft,
    isOwn: (rule) => isWithin(logins, rule) && !before.some((known) => sameContent(known, rule)),
    steps,
    seed,
  })
  const { divergence } = searched
  return { ...searched, steps, name: divergence && (await nameIt(divergence, steps, options)) }
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
