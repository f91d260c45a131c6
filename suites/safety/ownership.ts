import { type Draft, type Rule, sameContent } from '../model/rule.ts'
import { isOfRange, isWithin, type LoginRange, loginsIn } from '../session/logins.ts'
import type { RecordedRun } from './ledger.ts'

/**
 * Tells the kit's own rules from those of others by what its requests held. A login of the kit's range
 * is not enough: somebody may use one by mistake, and a rule of somebody is never removed.
 */
export interface Ownership {
  /** A request with this text is about to leave. Returns the logins of the kit in it, for the ledger. */
  note(text: string): readonly number[]
  /** A request with these logins has left, in an earlier process perhaps. */
  remember(logins: readonly number[]): void
  owns(rule: Rule): boolean
}

/** Beyond this many logins in one request, only neighbours are taken for the two of a rule. */
const mostPaired = 16

/**
 * A faulty server may keep a rule otherwise than it was sent, or a half of it, and such a rule must be
 * taken away, too. So what counts are the logins: both as in one request, in any order; or one of them,
 * where nothing stands in the place of the other or the request held no second login of the range.
 */
export function createOwnership(range: LoginRange, before: readonly Rule[]): Ownership {
  const pairs = new Set<string>()
  const halves = new Set<number>()
  const alone = new Set<number>()

  const remember = (logins: readonly number[]) => {
    for (const [at, login] of logins.entries()) {
      const others = logins.length > mostPaired ? logins.slice(at, at + 2) : logins
      for (const other of others) pairs.add(pairOf(login, other))
      halves.add(login)
    }
    const [only] = logins
    if (logins.length === 1 && only !== undefined) alone.add(only)
  }
  const wrote = ({ master, follower }: Draft) => {
    const [one, other] = [master, follower].filter((login) => isOfRange(login, range)).map(Number)
    if (one === undefined) return false
    if (other !== undefined) return pairs.has(pairOf(one, other))
    const rest = isOfRange(master, range) ? follower : master
    return alone.has(one) || (halves.has(one) && !Number(rest))
  }
  return {
    note(text) {
      const logins = loginsIn(text, range)
      remember(logins)
      return logins
    },
    remember,
    owns: (rule) => wrote(rule) && !isAmong(before, rule),
  }
}

/** The same from what a run wrote down; of a ledger that was never begun nothing is the kit's. */
export function ownByRecord(run: Pick<RecordedRun, 'opening' | 'written'> | null): (rule: Rule) => boolean {
  if (run === null) return () => false
  const ownership = createOwnership(run.opening.logins, run.opening.before)
  for (const logins of run.written) ownership.remember(logins)
  return ownership.owns
}

/** Whether a rule has a login of the kit and was not there before: enough where nobody else can add one. */
export function ownByRange(range: LoginRange, before: readonly Draft[]): (rule: Rule) => boolean {
  return (rule) => isWithin(range, rule) && !isAmong(before, rule)
}

function isAmong(known: readonly Draft[], rule: Draft): boolean {
  return known.some((other) => sameContent(other, rule))
}

function pairOf(one: number, other: number): string {
  return `${Math.min(one, other)} ${Math.max(one, other)}`
}
