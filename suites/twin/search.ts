import { array, asyncProperty, check, constantFrom, nat, record } from 'fast-check'
import type { Difference } from './compare.ts'
import { BudgetSpent, createServerPair, Divergence, type PairedServer, type ServerPairOptions } from './server-pair.ts'
import type { Step } from './step.ts'

export interface SearchOptions extends Omit<ServerPairOptions, 'spend' | 'onWording'> {
  readonly steps: readonly Step[]
  readonly seed: number
  /** How many random sequences follow the one of each step alone. */
  readonly runs: number
  /** The most requests that each side is sent, those for resets apart. */
  readonly maxRequests: number
  /** Ends the search after the sequence at hand. */
  readonly signal: AbortSignal
}

/** What came of a search. */
export interface Searched {
  /** The shortest one that was found; null if the two never differed. */
  readonly divergence: Divergence | null
  readonly sequences: number
  readonly requests: number
  /** Whether it ended before all sequences were tried: the budget was spent, or it was interrupted. */
  readonly cutShort: boolean
  /** Differences in words alone, each once. */
  readonly wording: readonly Difference[]
}

const longest = 12

/**
 * Sends the same sequences of steps to both sides: each step alone first, then random ones. The
 * first sequence that makes them differ is shrunk to the shortest that still does. Whatever else is
 * thrown ends the search.
 */
export async function search(options: SearchOptions): Promise<Searched> {
  const { steps, seed, runs, maxRequests, signal, target, twin } = options
  const wording = new Map<string, Difference>()
  let requests = 0
  let sequences = 0
  let cutShort = false
  let fatal: { readonly error: unknown } | null = null
  let shortest: Divergence | null = null

  const spend = () => {
    requests += 1
    if (requests > maxRequests) throw new BudgetSpent(`the ${maxRequests} requests of --max-requests are spent`)
  }
  const onWording = (difference: Difference) => {
    wording.set(`${difference.target} ${difference.twin}`, difference)
  }
  const play = async (sequence: readonly Played[]) => {
    if (fatal !== null || cutShort) return
    if (signal.aborted) {
      cutShort = true
      return
    }
    try {
      await reset([target, twin])
      sequences += 1
      await playOne(sequence, { ...options, spend, onWording })
    } catch (error) {
      if (error instanceof Divergence) {
        shortest = error
        throw error
      }
      if (error instanceof BudgetSpent) cutShort = true
      else fatal = { error }
    }
  }

  const sequence = array(record({ step: constantFrom(...steps), n: nat(99) }), { minLength: 1, maxLength: longest })
  const alone = steps.map((step): [Played[]] => [[{ step, n: 0 }]])
  await check(asyncProperty(sequence, play), { seed, numRuns: alone.length + runs, examples: alone })
  if (fatal !== null) throw (fatal as { readonly error: unknown }).error
  await reset([target, twin])
  return { divergence: shortest, sequences, requests, cutShort, wording: [...wording.values()] }
}

interface Played {
  readonly step: Step
  readonly n: number
}

async function playOne(sequence: readonly Played[], options: ServerPairOptions): Promise<void> {
  let current = ''
  const pair = createServerPair(options, () => current)
  for (const { step, n } of sequence) {
    current = step.id
    await step.play(pair, n)
  }
}

async function reset(sides: readonly PairedServer[]): Promise<void> {
  for (const side of sides) await side.reset()
}
