import { array, asyncProperty, check, constantFrom, nat, record } from 'fast-check'
import type { Difference } from './compare.ts'
import { createServerPair, type ServerPairOptions, ServersDiffer } from './server-pair.ts'
import type { ComparisonStep } from './steps.ts'

export interface SearchOptions extends Omit<ServerPairOptions, 'spend' | 'onWording'> {
  readonly steps: readonly ComparisonStep[]
  /** The number of random sequences after the sequences of a single step. */
  readonly runs: number
  /** The maximum number of requests to each server, excluding resets. */
  readonly maxRequests: number
  /** Ends the search after the current sequence. */
  readonly signal: AbortSignal
}

/** The step of a sequence at which the servers differed, and what was sent until then. */
export type Divergence = ServersDiffer['found'] & { readonly step: ComparisonStep }

export type SearchResult = Awaited<ReturnType<typeof search>>

const maxSteps = 12

/** Sends the same sequences to both servers: each step alone, then random ones. The first with a difference is shrunk. */
export async function search(options: SearchOptions) {
  const { steps, runs, maxRequests, signal, target, twin } = options
  const { seed } = target.context.settings
  const wording = new Map<string, Difference>()
  let requests = 0
  let sequences = 0
  let cutShort = false
  let fatal = null as { readonly error: unknown } | null
  let shortest = null as Divergence | null

  const spend = () => {
    cutShort = requests >= maxRequests
    if (cutShort) throw new Error(`all ${maxRequests} requests of \`--max-requests\` were sent`)
    requests += 1
  }
  const onWording = (difference: Difference) => {
    wording.set(`${difference.target} ${difference.twin}`, difference)
  }
  const reset = async () => {
    for (const server of [target, twin]) await server.reset()
  }
  const play = async (sequence: readonly PlayedStep[]) => {
    cutShort ||= signal.aborted
    if (fatal !== null || cutShort) return
    let last: ComparisonStep | undefined
    try {
      await reset()
      sequences += 1
      const pair = createServerPair({ ...options, spend, onWording })
      for (const { step, n } of sequence) {
        last = step
        await step.play(pair, n)
      }
    } catch (error) {
      if (error instanceof ServersDiffer && last !== undefined) shortest = { ...error.found, step: last }
      if (error instanceof ServersDiffer) throw error
      if (!cutShort) fatal = { error }
    }
  }

  const sequence = array(record({ step: constantFrom(...steps), n: nat(99) }), { minLength: 1, maxLength: maxSteps })
  const singleSteps = steps.map((step): [PlayedStep[]] => [[{ step, n: 0 }]])
  await check(asyncProperty(sequence, play), { seed, numRuns: singleSteps.length + runs, examples: singleSteps })
  if (fatal !== null) throw fatal.error
  await reset()
  return {
    /** The divergence with the shortest sequence; null if the servers never differed. */
    divergence: shortest,
    sequences,
    requests,
    /** Whether the search ended early: the request budget was exceeded, or it was interrupted. */
    cutShort,
    /** Differences in error texts only, each once. */
    wording: [...wording.values()],
  }
}

interface PlayedStep {
  readonly step: ComparisonStep
  readonly n: number
}
