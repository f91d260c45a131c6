import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { xorshift128plus } from 'pure-rand/generator/xorshift128plus'
import type { Draft, Login } from '../model/rule.ts'

/** The logins that belong to the kit, both ends included. */
export interface LoginRange {
  readonly from: number
  readonly to: number
}

export const defaultLogins: LoginRange = { from: 900_000_000, to: 900_000_999 }

const values = [0.01, 0.1, 0.25, 0.5, 1, 1.5, 2, 2.5, 3, 10, 12.75] as const

/** Whether a rule can only be the kit's: one of its logins lies in the range. */
export function isWithin(range: LoginRange, rule: Draft): boolean {
  return [rule.master, rule.follower].some((login) => isOfRange(login, range))
}

export function isOfRange(login: Login, { from, to }: LoginRange): boolean {
  return login >= from && login <= to
}

/** The logins of the range in a text, in their order, however the numerals are written. */
export function loginsIn(text: string, range: LoginRange): readonly number[] {
  const numerals = text.match(/\d+(?:\.\d+)?(?:e\+?\d+)?/gi) ?? []
  return numerals.map((numeral) => Math.trunc(Number(numeral))).filter((login) => isOfRange(login, range))
}

/**
 * Makes rules of the kit's own: each has a pair of logins that no earlier one had, so that a rule
 * can be recognised by its content wherever it stands in the list.
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
