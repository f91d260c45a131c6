import type { Draft, Login } from '../model/rule.ts'
import { type RandomInteger, seededRandom } from './random.ts'

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

export const isOfRange = (login: Login, { from, to }: LoginRange): boolean => login >= from && login <= to

/** The logins of the range in a string, in order, in any notation of numbers. */
export function loginsIn(text: string, range: LoginRange): readonly number[] {
  const numerals = text.match(/\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi) ?? []
  return numerals.map((numeral) => Math.trunc(Number(numeral))).filter((login) => isOfRange(login, range))
}

const mastersAtATime = 4

/**
 * Creates drafts of the kit's rules, each with a unique pair of logins. Logins and values are not sorted, and masters and
 * values repeat, so that only the order of arrival gives the expected list. No login is both a master and a follower
 * until each follower was used with each of the masters.
 */
export function createDrafts(range: LoginRange, seed: number): (changes?: Partial<Draft>) => Draft {
  const random = seededRandom(seed)
  const order = alternating(range, random)
  const size = order.length
  const masters = size < 2 * mastersAtATime ? 1 : mastersAtATime
  const followers = size - masters
  // Low masters for high followers and vice versa. Of eight drafts, three have the same master.
  const choices = Array.from({ length: followers }, (_, at) => ((at + 1) % 2) + (at % 8 < 6 ? 0 : 2))
  let count = 0

  const nextPair = () => {
    const at = count % followers
    const turn = Math.floor(count / followers)
    const first = (Math.floor(turn / masters) % Math.floor(size / masters)) * masters
    const master = order[first + (((choices[at] ?? 0) + turn) % masters)] ?? range.from
    count += 1
    return { master, follower: order[(first + masters + at) % size] ?? range.to }
  }

  return (changes) => ({
    ...nextPair(),
    mode: random(0, 1) === 0 ? 'mult' : 'fixed',
    value: values[random(0, values.length - 1)] ?? 1,
    direction: random(0, 1) === 0 ? 'same' : 'reverse',
    ...changes,
  })
}

/** Generates drafts; can be rewound to generate the same ones again. */
export function rewindableDrafts(range: LoginRange, seed: number) {
  /** Created on demand, since many checks need no rule. */
  let draw: ReturnType<typeof createDrafts> | null = null
  let drawn: Draft[] = []
  let next = 0
  return {
    draft(changes?: Partial<Draft>): Draft {
      draw ??= createDrafts(range, seed)
      const draft = drawn[next] ?? draw()
      drawn[next] = draft
      next += 1
      return { ...draft, ...changes }
    },
    /** Sets the position to which `rewind` returns. */
    mark() {
      drawn = drawn.slice(next)
      next = 0
    },
    rewind() {
      next = 0
    },
  }
}

/** More followers than a list has rules. The pairs of this many logins are enough for any run. */
const maxLogins = 4_000

/** The logins of a range in random order, alternately from its lower and its upper half. */
function alternating({ from, to }: LoginRange, random: RandomInteger): readonly number[] {
  const size = Math.min(to - from + 1, maxLogins)
  const half = Math.ceil(size / 2)
  const lower = shuffled(from, half, random)
  const upper = shuffled(from + half, size - half, random)
  return lower.flatMap((login, at) => [login, ...upper.slice(at, at + 1)])
}

function shuffled(from: number, length: number, random: RandomInteger): readonly number[] {
  const left = Array.from({ length }, (_, at) => from + at)
  return Array.from({ length }, () => left.splice(random(0, left.length - 1), 1)[0] ?? from)
}
