import { isDeepStrictEqual } from 'node:util'
import { type Finding, passed } from './outcome.ts'

/** What came of a check once, and which of its requests ended with a broken connection. */
export interface Attempt {
  readonly finding: Finding
  readonly breaks: readonly number[]
}

/** How often a failure with a broken connection is repeated before it counts. */
const repetitions = 3

/**
 * Between the kit and a foreign server is a network, which may break a connection at any
 * moment. A check that failed when a connection broke has failed because of the server only if the
 * same happens at the same place again and again; otherwise it could not be judged.
 */
export async function confirm(first: Attempt, again: () => Promise<Attempt>): Promise<Finding> {
  const { finding, breaks } = first
  if (finding.status !== 'failed' || breaks.length === 0) return finding
  for (let time = 0; time < repetitions; time += 1) {
    const next = await again()
    if (next.finding.stop !== null) return next.finding
    if (!isSame(first, next))
      return { ...passed, status: 'blocked', message: `${unclear}: ${finding.actual ?? finding.message}` }
  }
  return finding
}

function isSame(one: Attempt, other: Attempt): boolean {
  return (
    other.finding.status === 'failed' &&
    other.finding.code === one.finding.code &&
    isDeepStrictEqual(other.finding.data?.difference, one.finding.data?.difference) &&
    other.breaks.join() === one.breaks.join()
  )
}

const unclear = 'a connection broke, and not in the same way when the check was repeated: the network may be to blame'
