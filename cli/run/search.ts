import type { Failure } from '../selftest/task.ts'
import { checkOf, type FaultMatrix } from './known-faults.ts'
import { similarDefects } from './similar-defects.ts'

/** The results of a run, and the recorded failures that may explain them. */
export interface RunResults {
  readonly failed: ReadonlyMap<string, Failure>
  readonly passed: ReadonlySet<string>
  /** The recorded failures of each defect. They only suggest candidates, which are then re-enacted. */
  readonly known: FaultMatrix
  /** The checks whose result depends on the timing. */
  readonly timed: ReadonlySet<string>
  /** How long a check takes relative to others. */
  readonly costOf: (check: string) => number
  /** Whether it is time for the confirmation. */
  readonly isLate: () => boolean
  /**
   * Judges a simulator with these defects by these checks. For each check: how it failed, null if it passed, undefined
   * if it was not judged. Null if the time ran out. With `inOrder` the checks that share a server run one after the
   * other on one, as in the run, since a fault may depend on earlier requests.
   */
  reenact(
    defects: readonly string[],
    checks: readonly string[],
    inOrder?: boolean,
  ): Promise<ReadonlyMap<string, Failure | null | undefined> | null>
}

/** Without it, the failures that it explains do not occur. */
interface ReenactedFault {
  readonly defect: string
  readonly explains: readonly string[]
  /** Each of them could replace it. */
  readonly alternatives: readonly string[]
  /**
   * Whether it explains two failures that do not depend on the timing, no result contradicts it, and no failure of the
   * same kind is left. A fault outside of the catalogue may cause a single one too, may cause more than this one does,
   * and may leave more checks that can be judged.
   */
  readonly isConfirmed: boolean
}

export interface Found {
  readonly faults: readonly ReenactedFault[]
  /** The failures that occur in the same way with all of these faults. */
  readonly explained: readonly string[]
  /** The checks that fail with these faults, but passed or failed in another way in the run. */
  readonly besides: readonly string[]
  /** How many of the passed checks were re-enacted and passed again. */
  readonly passing: number
}

/** A defect, the failures for which it was chosen, and equivalent defects. */
interface Chosen {
  readonly defect: string
  readonly gained: readonly string[]
  readonly equals: readonly string[]
}

interface Attempt extends Omit<Chosen, 'equals'> {
  /** The number of failures that it explains: 0 if they say little, below 0 if passed checks contradict it. */
  readonly net: number
  /** For how many of them the change is the same too. */
  readonly exact: number
}

const maxFaults = 10
/** Checks with at least this many round trips are re-enacted last. */
const expensive = 75
/** The limits of the search: the defects per round, the checks for each, and the rounds without gain. */
const triedAtOnce = 8
const firstFailures = 4
const maxFailures = 16
const maxPassed = 10
const maxVainRounds = 6
/** This many equal failures outweigh one passed check that the defect fails: a server may have a narrower fault. */
const exactForEachPassed = 4
/** This many unexplained failures of a kind outweigh one of it that a defect explains: they have another cause. */
const leftForEachExplained = 5

/** The smallest found set of defects that fail the same checks in the same way; null if the time ran out. */
export async function searchFaults(ended: RunResults): Promise<Found | null> {
  const refuted = new Set<string>()
  const cheap = new Map([...ended.failed].filter(([check]) => ended.costOf(check) < expensive))
  let chosen: readonly Chosen[] = []
  for (;;) {
    chosen = await choose({ ...ended, failed: cheap }, chosen, refuted)
    chosen = await choose(ended, chosen, refuted)
    const found = await confirm(ended, chosen, new Set(chosen.flatMap((one) => checksOf(ended, one.defect))))
    if (found === null) return null
    const whole = 'faults' in found ? await confirm(ended, chosen, null) : found
    if (whole === null || 'faults' in whole) return whole ?? (found as Found)
    refuted.add(whole.refuted)
    chosen = chosen.filter(({ defect }) => !refuted.has(defect))
  }
}

/** Adds defects that explain more, until everything is explained or nothing helps. */
async function choose(ended: RunResults, first: readonly Chosen[], refuted: ReadonlySet<string>) {
  const { failed, passed, known, isLate, reenact } = ended
  const chosen = [...first]
  const tried = new Set(refuted)
  for (let vain = 0; vain < maxVainRounds && chosen.length < maxFaults && !isLate(); ) {
    const ids = chosen.map(({ defect }) => defect)
    const results = ids.length === 0 ? null : await reenact(ids, [...failed.keys()])
    const left = new Map([...failed].filter(([check, failure]) => !isSame(results?.get(check), failure)))
    const recorded = new Map(Array.from(left, ([check, failure]) => [check, failure.recorded]))
    const next = similarDefects(recorded, passed, known)
      .filter((id) => !tried.has(id) && !ids.includes(id))
      .slice(0, triedAtOnce)
    if (next.length === 0) break
    const ofAll = await Promise.all(next.map((defect) => attempt(ended, ids, left, defect)))
    const attempts = ofAll.filter((one) => one !== null)
    const gaining = attempts.filter(({ net }) => net > 0)
    // A defect that explains few of its failures may explain more once another fault is known.
    const isOpen = (id: string) => attempts.some((one) => one.defect === id && one.gained.length > 0 && one.net >= 0)
    for (const id of next) if (!isOpen(id)) tried.add(id)
    chosen.push(...apart(gaining).slice(0, maxFaults - chosen.length))
    vain = gaining.length > 0 ? 0 : vain + 1
  }
  return chosen
}

/** Which of the unexplained failures a defect explains; null if the time ran out. */
async function attempt(
  ended: RunResults,
  others: readonly string[],
  left: RunResults['failed'],
  defect: string,
): Promise<Attempt | null> {
  const { passed, costOf, reenact } = ended
  const named = checksOf(ended, defect).toSorted((one, other) => costOf(one) - costOf(other))
  const failures = named.filter((check) => left.has(check)).slice(0, maxFailures)
  const rest = named.filter((check) => passed.has(check)).slice(0, maxPassed)
  // Most defects explain none of the first failures and need no further trial.
  const some = await reenact([...others, defect], failures.slice(0, firstFailures))
  if (!failures.some((check) => isSame(some?.get(check), left.get(check))))
    return some && { defect, gained: [], exact: 0, net: 0 }
  const results = await reenact([...others, defect], [...failures, ...rest])
  if (results === null) return null
  const gained = failures.filter((check) => isSame(results.get(check), left.get(check)))
  const exact = gained.filter((check) => results.get(check)?.change === left.get(check)?.change).length
  // Other faults may be the reason for failures that differ.
  const isLikely = 2 * gained.length >= failures.length && isMostlyExact(exact, gained)
  const wrong = rest.filter((check) => results.get(check)).length
  const isRefuted = exactForEachPassed * wrong > exact
  return { defect, gained, exact, net: isRefuted ? -wrong : isLikely ? gained.length : 0 }
}

/** Of defects that explain the same failures, keeps the first that explains most of them. */
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

/**
 * The result of these defects together, or one that is not confirmed; null if the time ran out. Of the checks that
 * passed only those in `tried` run, if given.
 */
async function confirm(
  ended: RunResults,
  chosen: readonly Chosen[],
  tried: ReadonlySet<string> | null,
): Promise<Found | { readonly refuted: string } | null> {
  const { failed, passed, timed, known, reenact } = ended
  const ids = chosen.map(({ defect }) => defect)
  const rest = [...passed].filter((check) => tried?.has(check) ?? true)
  const together = await reenact(ids, [...failed.keys(), ...rest], tried === null)
  if (together === null) return null
  const explained = [...failed.keys()].filter((check) => isSame(together.get(check), failed.get(check)))
  // Checks that fail in another way contradict the defects, like passed checks that fail.
  const besides = [...failed.keys(), ...rest].filter((check) => together.get(check) && !explained.includes(check))
  // Checks that were judged in the run, but cannot be with these defects.
  const blocked = [...failed.keys(), ...rest].filter((check) => together.get(check) === undefined)
  const leftOut = chosen.map(async ({ defect, gained, equals }) => {
    const own = new Set([...checksOf(ended, defect), ...gained])
    const relevant = explained.filter((check) => own.has(check))
    const otherDefects = ids.filter((id) => id !== defect)
    const without = await reenact(otherDefects, [...relevant, ...besides, ...blocked])
    if (without === null) return null
    const explains = relevant.filter((check) => !isSame(without.get(check), failed.get(check)))
    const wrong = besides.filter((check) => !isSame(without.get(check), together.get(check)))
    const exact = explains.filter((check) => together.get(check)?.change === failed.get(check)?.change).length
    // A failure in another way counts half as much as a passed check: a further fault may be the reason.
    const against = wrong.reduce((sum, check) => sum + (passed.has(check) ? 1 : 0.5), 0)
    const isRefuted = explains.length === 0 || exactForEachPassed * against > exact || !isMostlyExact(exact, explains)
    // Failures of one kind probably have one cause, so a fault that explains only one of them is the wrong one. Other
    // faults may be the reason for a failure that depends on the timing.
    const others = [...failed.keys()].filter((check) => !explains.includes(check) && together.get(check) !== undefined)
    const kinds = new Set(others.map((check) => kindOf(failed.get(check))))
    const isUnsure = (check: string) => kinds.has(kindOf(failed.get(check))) || (timed.has(check) && failed.size > 1)
    const isPart = explains.length === 1 && explains.some(isUnsure)
    // The same if it leaves most failures of its kinds unexplained.
    const ownKinds = new Set(explains.map((check) => kindOf(failed.get(check))))
    const left = others.filter((check) => !explained.includes(check) && ownKinds.has(kindOf(failed.get(check))))
    const isMinor = left.length >= leftForEachExplained * explains.length
    // Two faults that share most failures are probably a third one.
    const could = relevant.filter((check) =>
      (known[defect] ?? []).some((failure) => failure.startsWith(`${check}:${codeOf(failed.get(check))}:`)),
    )
    const isOwn = 2 * explains.length >= could.length
    const stands = !isRefuted && isOwn && !isPart && !isMinor
    const isContradicted = wrong.length > 0 || blocked.some((check) => without.get(check) !== undefined)
    const isSteady = (check: string) => !timed.has(check)
    // A wider fault, which the catalogue does not have, may cause what is left of its kinds as well.
    const isConfirmed = !isContradicted && explains.filter(isSteady).length > 1 && !left.some(isSteady)
    return { defect, explains, alternatives: equals, isConfirmed, against: stands ? 0 : 1 + wrong.length }
  })
  const faults = (await Promise.all(leftOut)).filter((one) => one !== null)
  if (faults.length < chosen.length) return null
  // Of two faults that explain the same failures, either is redundant, so one is removed at a time.
  const [worst] = faults.toSorted(
    (one, other) => other.against - one.against || one.explains.length - other.explains.length,
  )
  if (worst !== undefined && worst.against > 0) return { refuted: worst.defect }
  // That the same failures need several faults at once is less likely than that another fault causes them.
  const isShared = ({ explains }: ReenactedFault) =>
    faults.filter((other) => other.explains.join() === explains.join()).length > 1
  const doubtful = faults.findLast((fault) => !fault.isConfirmed && isShared(fault))
  if (doubtful !== undefined) return { refuted: doubtful.defect }
  return { faults, explained, besides, passing: rest.filter((check) => together.get(check) === null).length }
}

/** Whether two thirds of the equal failures have the same change too. */
const isMostlyExact = (exact: number, equal: readonly string[]) => 3 * exact >= 2 * equal.length

const isSame = (one: Failure | null | undefined, other: Failure | null | undefined) => one?.text === other?.text

/** Code, method, and status and form of the response, whatever the step and the path. */
const kindOf = (failure: Failure | undefined) => failure?.text.replace(/ .*\| (\w+) .*(?= \d+ \w+$)/, ' $1') ?? ''

const codeOf = (failure: Failure | undefined) => failure?.text.split(' ', 1)[0] ?? ''

/** The checks that are recorded to fail for a defect. */
function checksOf({ known }: RunResults, defect: string): readonly string[] {
  return [...new Set((known[defect] ?? []).map(checkOf))]
}
