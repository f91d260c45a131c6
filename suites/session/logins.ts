import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { xorshift128plus } from 'pure-rand/generator/xorshift128plus'
import type { Draft, Login } from '../model/rule.ts'

/** The logins of the kit, inclusive. */
export interface LoginRange {
  readonly from: number
  readonly to: number
}

export const defaultLogins: LoginRange = { from: 900_000_000, to: 900_000_999 }

const values = [0.01, 0.1, 0.25, 0.5, 1, 1.5, 2, 2.5, 3, 10, 12.75] as const

/** Whether one of the logins of a rule is in the range. */
export function isWithin(range: LoginRange, rule: Draft): boolean {
  return [rule.master, rule.follower].some((login) => isOfRange(login, range))
}

export function isOfRange(login: Login, { from, to }: LoginRange): boolean {
  return login >= from && login <= to
}

/** The logins of the range in a string, in their order, in any numeral notation. */
export function loginsIn(text: string, range: LoginRange): readonly number[] {
  const numerals = text.match(/\d+(?:\.\d+)?(?:e\+?\d+)?/gi) ?? []
  return numerals.map((numeral) => Math.trunc(Number(numeral))).filter((login) => isOfRange(login, range))
}

/**
 * Creates drafts of the kit's rules. Each has a unique pair of logins, so that it can be recognised by
 * its content anywhere in the list.
 */
export function createDrafts(range: LoginRange, seed: number): (changes?: Partial<Draft>) => Draft {
  const random = xorshift128plus(seed)
  const size = range.to - range.from + 1
  let count = 0

  const nextPair = () => {
    const master = range.from + (Math.floor(count / size) % size)
    const follower = range.from + ((count + 1) % size)
    count += 1
    return { master, follower }
  }

  return (changes) => {
    let pair = nextPair()
    while (pair.master === pair.follower) pair = nextPair()
    return {
      ...pair,
      mode: uniformInt(random, 0, 1) === 0 ? 'mult' : 'fixed',
      value: values[uniformInt(random, 0, values.length - 1)] ?? 1,
      direction: uniformInt(random, 0, 1) === 0 ? 'same' : 'reverse',
      ...changes,
    }
  }
}
