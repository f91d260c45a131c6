import { checkOf, type FaultMatrix } from './known-faults.ts'
import { proposals } from './proposals.ts'

/** How a check failed, as text: its code, its circumstances, and the form of the deciding response. */
export type Way = string

/**
 * Judges a simulator with these defects by these checks: for each of them how it failed, null where it did not. Null
 * as a whole where the time is over.
 */
export type Reenact = (
  defects: readonly string[],
  checks: readonly string[],
) => Promise<ReadonlyMap<string, Way | null> | null>

/** How a run ended, and what may explain it. */
export interface Ended {
  readonly failed: ReadonlyMap<string, Way>
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
  /** How many of the checks that passed were re-enacted, and passed. */
  readonly passing: number
}

/** A defect, the failures for which it was chosen, and the defects that would have done as well. */
interface Chosen {
  readonly defect: string
  readonly gained: readonly string[]
  readonly equals: readonly string[]
}

const mostFaults = 10
/** How many defects are tried in one round, on how many checks each, and how many rounds without any gain. */
const triedAtOnce = 8
const mostFailures = 8
const mostPassed = 6
const mostVainRounds = 2

/** The smallest set of defects that was found to fail the same checks in the same way; null where time did not suffice. */
export async function searchFaults(ended: Ended, reenact: Reenact): Promise<Found | null> {
  const refuted = new Set<string>()
  let chosen: readonly Chosen[] = []
  for (;;) {
    chosen = await choose(ended, reenact, chosen, refuted)
    const judged = await confirm(ended, reenact, chosen)
    if (judged === null || 'faults' in judged) return judged
    for (const defect of judged.refuted) refuted.add(defect)
    chosen = chosen.filter(({ defect }) => !refuted.has(defect))
  }
}

/** Adds defects that explain more, until all is explained or nothing helps. */
async function choose(
  { failed, passed, known, costOf, isLate }: Ended,
  reenact: Reenact,
  first: readonly Chosen[],
  refuted: ReadonlySet<string>,
): Promise<readonly Chosen[]> {
  const cheapest = (checks: readonly string[]) => checks.toSorted((one, other) => costOf(one) - costOf(other))
  const chosen = [...first]
  const tried = new Set(refuted)
  for (let vain = 0; vain < mostVainRounds && !isLate(); ) {
    const ids = chosen.map(({ defect }) => defect)
    const explained = new Set(chosen.flatMap(({ gained }) => gained))
    const left = new Map([...failed].filter(([check]) => !explained.has(check)))
    const next = proposals(left, passed, known).filter((id) => !tried.has(id) && !ids.includes(id))
    if (left.size === 0 || next.length === 0 || chosen.length >= mostFaults) break
    const attempts = next.slice(0, triedAtOnce).map(async (defect) => {
      const named = checksOf(known, defect)
      const failures = cheapest(named.filter((check) => left.has(check))).slice(0, mostFailures)
      const rest = cheapest(named.filter((check) => passed.has(check))).slice(0, mostPassed)
      const ways = await reenact([...ids, defect], [...failures, ...rest])
      if (ways === null || rest.some((check) => ways.get(check))) return { defect, gained: [] }
      const gained = failures.filter((check) => ways.get(check) === failed.get(check))
      // What other faults do to the same checks is not known yet.
      return { defect, gained: 2 * gained.length >= failures.length ? gained : [] }
    })
    const gaining = (await Promise.all(attempts)).filter(({ gained }) => gained.length > 0)
    for (const id of next.slice(0, triedAtOnce)) if (!gaining.some(({ defect }) => defect === id)) tried.add(id)
    chosen.push(...apart(gaining).slice(0, mostFaults - chosen.length))
    vain = gaining.length > 0 ? 0 : vain + 1
  }
  return chosen
}

/** Of defects that explain the same failures the first that explains most of them. */
function apart(gaining: readonly Omit<Chosen, 'equals'>[]): readonly Chosen[] {
  const ranked = gaining.toSorted((one, other) => other.gained.length - one.gained.length)
  const taken = new Set<string>()
  return ranked.flatMap(({ defect, gained }) => {
    if (gained.some((check) => taken.has(check))) return []
    for (const check of gained) taken.add(check)
    const isEqual = (one: Omit<Chosen, 'equals'>) => one.defect !== defect && one.gained.join() === gained.join()
    return [{ defect, gained, equals: ranked.filter(isEqual).map((one) => one.defect) }]
  })
}

/** What is true of these defects together, or those that do not stand. Null where the time is over. */
async function confirm(
  { failed, passed, known }: Ended,
  reenact: Reenact,
  chosen: readonly Chosen[],
): Promise<Found | { readonly refuted: readonly string[] } | null> {
  const ids = chosen.map(({ defect }) => defect)
  const named = [...new Set(ids.flatMap((id) => checksOf(known, id)))].filter((check) => passed.has(check))
  const together = await reenact(ids, [...failed.keys(), ...named])
  if (together === null) return null
  const explained = [...failed.keys()].filter((check) => together.get(check) === failed.get(check))
  // A check that fails in another way speaks against them as well as one that passed.
  const wrong = [...failed.keys(), ...named].filter((check) => together.get(check) && !explained.includes(check))
  const alone = await Promise.all(
    chosen.map(async ({ defect, gained, equals }) => {
      const own = [...checksOf(known, defect), ...gained]
      const others = ids.filter((id) => id !== defect)
      const without = await reenact(others, [...explained.filter((check) => own.includes(check)), ...wrong])
      return without && { defect, equals, without }
    }),
  )
  const faults: ConfirmedFault[] = []
  const culprits: string[] = []
  const needless: string[] = []
  for (const one of alone) {
    if (one === null) return null
    const { defect, equals, without } = one
    const explains = explained.filter((check) => without.has(check) && without.get(check) !== failed.get(check))
    if (wrong.some((check) => without.get(check) !== together.get(check))) culprits.push(defect)
    else if (explains.length === 0) needless.push(defect)
    faults.push({ defect, explains, alternatives: equals })
  }
  // Of two that explain the same, leaving out one at a time keeps the other.
  if (wrong.length > 0) return { refuted: culprits.length > 0 ? culprits : ids.slice(-1) }
  if (needless.length > 0) return { refuted: needless.slice(-1) }
  const rest = [...passed].filter((check) => !named.includes(check))
  const others = ids.length === 0 ? null : await reenact(ids, rest)
  const surprising = rest.filter((check) => others?.get(check))
  if (surprising.length > 0) {
    const blamed = await Promise.all(
      ids.map(async (defect) => {
        const ways = await reenact(
          ids.filter((id) => id !== defect),
          surprising,
        )
        return surprising.some((check) => ways !== null && !ways.get(check)) ? [defect] : []
      }),
    )
    return { refuted: blamed.flat().length > 0 ? blamed.flat() : ids.slice(-1) }
  }
  return { faults, explained, passing: named.length + (others === null ? 0 : rest.length) }
}

/** The checks that are recorded to fail for a defect. */
function checksOf(known: FaultMatrix, defect: string): readonly string[] {
  return [...new Set((known[defect] ?? []).map(checkOf))]
}
