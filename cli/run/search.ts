import type { Way } from '../../suites/runner/circumstances.ts'
import { checkOf, type FaultMatrix } from './known-faults.ts'
import { proposals } from './proposals.ts'

/** How a check failed. */
export interface Failure extends Way {
  /** In the form of the records: code and circumstances. */
  readonly recorded: string
}

/**
 * Judges a simulator with these defects by these checks. For each: how it failed, null if it passed, undefined if it
 * was not judged. Null as a whole if the time is over.
 */
export type Reenact = (
  defects: readonly string[],
  checks: readonly string[],
) => Promise<ReadonlyMap<string, Way | null | undefined> | null>

/** How a run ended, and what may explain it. */
export interface Ended {
  readonly failed: ReadonlyMap<string, Failure>
  readonly passed: ReadonlySet<string>
  /** The recorded failures of each defect. They only propose: what is stated was re-enacted. */
  readonly known: FaultMatrix
  /** How long a check takes, compared with others. */
  readonly costOf: (check: string) => number
  /** Whether it is time to confirm what was found. */
  readonly isLate: () => boolean
}

/** A fault without which some failures do not come. */
export interface ConfirmedFault {
  readonly defect: string
  readonly explains: readonly string[]
  /** Other defects, each of which fails these checks in the same way in its place. */
  readonly alternatives: readonly string[]
}

export interface Found {
  readonly faults: readonly ConfirmedFault[]
  /** The failures that come with all of these faults, in the same way. */
  readonly explained: readonly string[]
  /** The checks that fail with these faults, and passed or failed in another way. */
  readonly besides: readonly string[]
  /** How many of the checks that passed were re-enacted, and passed. */
  readonly passing: number
}

/** A defect, the failures for which it was chosen, and the defects that would have done as well. */
interface Chosen {
  readonly defect: string
  readonly gained: readonly string[]
  readonly equals: readonly string[]
}

interface Attempt extends Omit<Chosen, 'equals'> {
  /** How many failures it explains; 0 where they say little, below 0 where checks that passed speak against it. */
  readonly net: number
  /** For how many of them what had changed is the same too. */
  readonly exact: number
}

const mostFaults = 10
/** Checks with so many round trips are re-enacted last. */
const expensive = 150
/** How many defects are tried in one round, on how many checks each, and how many rounds without any gain. */
const triedAtOnce = 8
const firstFailures = 4
const mostFailures = 16
const mostPassed = 10
const mostVainRounds = 6
/** So many failures that are the same but for what had changed say enough. */
const leastInexact = 3
/** So many failures that are exactly the same outweigh a check that passed: it may depend on more than the fault. */
const exactForEachPassed = 4

/** The smallest set of defects that was found to fail the same checks in the same way; null where time did not suffice. */
export async function searchFaults(ended: Ended, reenact: Reenact): Promise<Found | null> {
  const refuted = new Set<string>()
  const cheap = new Map([...ended.failed].filter(([check]) => ended.costOf(check) < expensive))
  let chosen: readonly Chosen[] = []
  for (;;) {
    chosen = await choose({ ...ended, failed: cheap }, reenact, chosen, refuted)
    chosen = await choose(ended, reenact, chosen, refuted)
    const found = await confirm(ended, reenact, chosen, new Set(chosen.flatMap((one) => checksOf(ended, one.defect))))
    if (found === null) return null
    const whole = 'faults' in found ? await confirm(ended, reenact, chosen, ended.passed) : found
    if (whole === null || 'faults' in whole) return whole ?? (found as Found)
    for (const defect of whole.refuted) refuted.add(defect)
    chosen = chosen.filter(({ defect }) => !refuted.has(defect))
  }
}

/** Adds defects that explain more, until all is explained or nothing helps. */
async function choose(
  ended: Ended,
  reenact: Reenact,
  first: readonly Chosen[],
  refuted: ReadonlySet<string>,
): Promise<readonly Chosen[]> {
  const { failed, passed, known, isLate } = ended
  const chosen = [...first]
  const tried = new Set(refuted)
  for (let vain = 0; vain < mostVainRounds && chosen.length < mostFaults && !isLate(); ) {
    const ids = chosen.map(({ defect }) => defect)
    const ways = ids.length === 0 ? null : await reenact(ids, [...failed.keys()])
    const left = new Map([...failed].filter(([check, failure]) => !isSame(ways?.get(check), failure)))
    const recorded = new Map(Array.from(left, ([check, failure]) => [check, failure.recorded]))
    const next = proposals(recorded, passed, known)
      .filter((id) => !tried.has(id) && !ids.includes(id))
      .slice(0, triedAtOnce)
    if (next.length === 0) break
    const trials = await Promise.all(next.map((defect) => attempt(ended, reenact, ids, left, defect)))
    const attempts = trials.filter((one) => one !== null)
    const gaining = attempts.filter(({ net }) => net > 0)
    // One that explains few of its failures may explain the rest when another fault has explained those.
    const isOpen = (id: string) => attempts.some((one) => one.defect === id && one.gained.length > 0 && one.net >= 0)
    for (const id of next) if (!isOpen(id)) tried.add(id)
    chosen.push(...apart(gaining).slice(0, mostFaults - chosen.length))
    vain = gaining.length > 0 ? 0 : vain + 1
  }
  return chosen
}

/** What a defect explains of the failures that the others leave; null where the time is over. */
async function attempt(
  ended: Ended,
  reenact: Reenact,
  others: readonly string[],
  left: Ended['failed'],
  defect: string,
): Promise<Attempt | null> {
  const { passed, costOf } = ended
  const named = checksOf(ended, defect).toSorted((one, other) => costOf(one) - costOf(other))
  const failures = named.filter((check) => left.has(check)).slice(0, mostFailures)
  const rest = named.filter((check) => passed.has(check)).slice(0, mostPassed)
  // Most defects explain none of the first failures: the others need no trial.
  const some = await reenact([...others, defect], failures.slice(0, firstFailures))
  if (!failures.some((check) => isSame(some?.get(check), left.get(check))))
    return some && { defect, gained: [], exact: 0, net: 0 }
  const ways = await reenact([...others, defect], [...failures, ...rest])
  if (ways === null) return null
  const gained = failures.filter((check) => isSame(ways.get(check), left.get(check)))
  const exact = gained.filter((check) => ways.get(check)?.change === left.get(check)?.change).length
  // What other faults do to the failures that are not the same is not known yet. Few say little unless they are exact.
  const isLikely = 2 * gained.length >= failures.length && (gained.length >= leastInexact || exact === gained.length)
  const wrong = rest.filter((check) => ways.get(check)).length
  const isRefuted = exactForEachPassed * wrong > exact
  return { defect, gained, exact, net: isRefuted ? -wrong : isLikely ? gained.length : 0 }
}

/** Of defects that explain the same failures the first that explains most of them. */
function apart(gaining: readonly Attempt[]): readonly Chosen[] {
  const ranked = gaining.toSorted((one, other) => other.net + other.exact - one.net - one.exact)
  const taken = new Set<string>()
  return ranked.flatMap(({ defect, gained, net, exact }) => {
    if (gained.some((check) => taken.has(check))) return []
    for (const check of gained) taken.add(check)
    const equals = ranked.filter((one) => one.gained.join() === gained.join() && one.net === net && one.exact === exact)
    return [{ defect, gained, equals: equals.map((one) => one.defect).filter((one) => one !== defect) }]
  })
}

/** What is true of these defects together, or those that do not stand. Null where the time is over. */
async function confirm(
  ended: Ended,
  reenact: Reenact,
  chosen: readonly Chosen[],
  tried: ReadonlySet<string>,
): Promise<Found | { readonly refuted: readonly string[] } | null> {
  const { failed, passed, known } = ended
  const ids = chosen.map(({ defect }) => defect)
  const rest = [...passed].filter((check) => tried.has(check))
  const together = await reenact(ids, [...failed.keys(), ...rest])
  if (together === null) return null
  const explained = [...failed.keys()].filter((check) => isSame(together.get(check), failed.get(check)))
  // A check that fails in another way speaks against them as well as one that passed.
  const besides = [...failed.keys(), ...rest].filter((check) => together.get(check) && !explained.includes(check))
  // Failures of one kind are likely to have one cause: a fault that explains only one of them is another one.
  const isOpen = (check: string) => !explained.includes(check) && together.get(check) !== undefined
  const open = new Set([...failed.keys()].filter(isOpen).map((check) => kindOf(failed.get(check))))
  const leftOut = chosen.map(async ({ defect, gained, equals }) => {
    const own = new Set([...checksOf(ended, defect), ...gained])
    const relevant = explained.filter((check) => own.has(check))
    const others = ids.filter((id) => id !== defect)
    const without = await reenact(others, [...relevant, ...besides])
    if (without === null) return null
    const explains = relevant.filter((check) => !isSame(without.get(check), failed.get(check)))
    const wrong = besides.filter((check) => !isSame(without.get(check), together.get(check)))
    const exact = explains.filter((check) => together.get(check)?.change === failed.get(check)?.change).length
    // A check that fails in another way says half as much as one that passed: a further fault may change it.
    const against = wrong.reduce((sum, check) => sum + (passed.has(check) ? 1 : 0.5), 0)
    const isRefuted = explains.length === 0 || exactForEachPassed * against > exact
    const isPart = explains.length === 1 && explains.some((check) => open.has(kindOf(failed.get(check))))
    // Two that have most failures in common are likely to stand for a third one.
    const could = relevant.filter((check) =>
      (known[defect] ?? []).some((failure) => failure.startsWith(`${check}:${codeOf(failed.get(check))}:`)),
    )
    const isOwn = 2 * explains.length >= could.length
    const stands = !isRefuted && isOwn && !isPart
    return { defect, explains, alternatives: equals, against: stands ? 0 : 1 + wrong.length }
  })
  const faults = (await Promise.all(leftOut)).filter((one) => one !== null)
  if (faults.length < chosen.length) return null
  // Of two that explain the same, each is needless beside the other: one at a time goes.
  const [worst] = faults.toSorted(
    (one, other) => other.against - one.against || one.explains.length - other.explains.length,
  )
  if (worst !== undefined && worst.against > 0) return { refuted: [worst.defect] }
  return { faults, explained, besides, passing: rest.filter((check) => together.get(check) === null).length }
}

const isSame = (one: Way | null | undefined, other: Way | null | undefined) => one?.text === other?.text

/** Code and response, whatever the step. */
const kindOf = (way: Way | undefined) => way?.text.replace(/ \|.*(?= \| )/, '') ?? ''

const codeOf = (way: Way | undefined) => way?.text.split(' ', 1)[0] ?? ''

/** The checks that are recorded to fail for a defect. */
function checksOf({ known }: Ended, defect: string): readonly string[] {
  return [...new Set((known[defect] ?? []).map(checkOf))]
}
