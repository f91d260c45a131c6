import { type Draft, type Rule, sameContent } from '../model/rule.ts'
import { isOfRange, isWithin, type LoginRange, loginsIn } from '../session/logins.ts'
import type { RecordedRun } from './ledger.ts'

/** With more logins in one request, only adjacent ones can be the two logins of a rule. */
const maxPaired = 16

/**
 * Recognises the kit's own rules by the logins in its requests. A login of the kit's range is not enough: another client
 * may use one by mistake, and a foreign rule is never removed.
 *
 * A faulty server may store a rule in another form, or only half of it, and that rule must be removed too. So only the
 * logins count: both from one request, in any order; or one of them, if the other is missing or the request had no
 * second login of the range.
 */
export function createOwnership(range: LoginRange, before: readonly Rule[]) {
  const pairs = new Set<string>()
  const single = new Set<number>()

  const remember = (logins: readonly number[]) => {
    for (const [at, login] of logins.entries()) {
      const others = logins.length > maxPaired ? logins.slice(at, at + 2) : logins
      // A login is also paired with itself.
      for (const other of others) pairs.add(pairOf(login, other))
    }
    const [only] = logins
    if (logins.length === 1 && only !== undefined) single.add(only)
  }
  const wrote = ({ master, follower }: Draft) => {
    const [one, other] = [master, follower].filter((login) => isOfRange(login, range)).map(Number)
    if (one === undefined) return false
    if (other !== undefined) return pairs.has(pairOf(one, other))
    const rest = isOfRange(master, range) ? follower : master
    return single.has(one) || (pairs.has(pairOf(one, one)) && !Number(rest))
  }
  return {
    /** Records a request that is about to be sent. Returns the logins of the kit in it, for the ledger. */
    note(text: string): readonly number[] {
      const logins = loginsIn(text, range)
      // A body in chunks may have the end of a chunk in the middle of a login.
      const joined = text.replaceAll(/\r\n[0-9a-f]{1,4}(?:;[^\r\n]*)?\r\n/gi, '')
      const split = loginsIn(joined, range).filter((login) => !logins.includes(login))
      const all = [...logins, ...split]
      remember(all)
      return all
    },
    /** Records the logins of a request that was sent, perhaps by an earlier process. */
    remember,
    owns: (rule: Rule) => wrote(rule) && !isAmong(before, rule),
  }
}

/** The same for the requests in a ledger. Without one no rule belongs to the kit. */
export function ownByRecord(run: Pick<RecordedRun, 'opening' | 'written'> | null): (rule: Rule) => boolean {
  if (run === null) return () => false
  const ownership = createOwnership(run.opening.logins, run.opening.before)
  for (const logins of run.written) ownership.remember(logins)
  return ownership.owns
}

/** Whether a rule is new and has a login of the kit. Sufficient if no other client can add rules. */
export function ownByRange(range: LoginRange, before: readonly Draft[]): (rule: Rule) => boolean {
  return (rule) => isWithin(range, rule) && !isAmong(before, rule)
}

function isAmong(known: readonly Draft[], rule: Draft): boolean {
  return known.some((other) => sameContent(other, rule))
}

function pairOf(one: number, other: number): string {
  return `${Math.min(one, other)} ${Math.max(one, other)}`
}
