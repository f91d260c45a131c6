import { asyncProperty, check, sample as draw, shuffledSubarray, subarray, tuple } from 'fast-check'
import picomatch from 'picomatch'
import type { Question } from '../../spec/question.ts'
import type { Answers, KnownDefect, SelfTestApi } from '../target/self-test.ts'
import type { SelftestOptions } from './command.ts'

/** The part of an API that is tested, and how thoroughly. */
export interface ApiScope extends Pick<SelftestOptions, 'quick' | 'seed'> {
  readonly api: SelfTestApi
  readonly defects: readonly KnownDefect[]
  readonly requirements: readonly string[]
  /** Ids of the requirements whose defects are all in `defects`. */
  readonly complete: readonly string[]
  readonly observes: boolean
  readonly profiles: readonly Answers[]
}

/** Chooses what to test, and a random sample of its defects. */
export function chooseScope(
  api: SelfTestApi,
  { only, sample, seed, quick, profiles }: Pick<SelftestOptions, 'only' | 'sample' | 'seed' | 'quick' | 'profiles'>,
): ApiScope {
  const scope = byGlobs(api, only)
  const size = Math.min(sample ?? scope.defects.length, scope.defects.length)
  const chosen = subarray([...scope.defects], { minLength: size, maxLength: size })
  const [defects = []] = draw(chosen, { seed, numRuns: 1 })
  const left = scope.defects.filter((defect) => !defects.includes(defect))
  const complete = scope.complete.filter((id) => !left.some(({ breaks }) => breaks.includes(id)))
  return { ...scope, defects, complete, seed, quick, profiles: randomProfiles(api.questions, seed, profiles) }
}

/**
 * Chooses by globs over ids of defects and requirements: a requirement comes with all defects that
 * break it, a defect with the requirements that it breaks. Without a glob everything is chosen.
 */
function byGlobs(api: SelfTestApi, only: readonly string[]) {
  const all = api.requirements.map(({ id }) => id)
  if (only.length === 0) return { api, defects: api.defects, requirements: all, complete: all, observes: true }
  const matches = picomatch([...only])
  const complete = all.filter((id) => matches(id))
  const byName = api.defects.filter(({ id }) => matches(id))
  const requirements = new Set([...complete, ...byName.flatMap(({ breaks }) => breaks)])
  const defects = api.defects.filter(({ id, breaks }) => matches(id) || breaks.some((name) => complete.includes(name)))
  return { api, defects, requirements: all.filter((id) => requirements.has(id)), complete, observes: false }
}

/**
 * Random profiles without the default answers, which depend only on the seed. The first two show both answers of each
 * question with two, the first three all answers of one with three, and so on, then again.
 */
export function randomProfiles(questions: readonly Question[], seed: number, count: number): readonly Answers[] {
  const inTurn = ({ default: usual, answers }: Question) => {
    const all = [...new Set([usual, ...Object.keys(answers)])]
    const rounds = Array.from({ length: Math.ceil(count / all.length) }, () =>
      shuffledSubarray(all, { minLength: all.length }),
    )
    return tuple(...rounds).map((drawn) => drawn.flat())
  }
  const [columns = []] = draw(tuple(...questions.map(inTurn)), { seed, numRuns: 1 })
  return Array.from({ length: count }, (_, place) =>
    Object.fromEntries(
      questions.flatMap((question, at) => {
        const answer = columns[at]?.[place] ?? question.default
        return answer === question.default ? [] : [[question.id, answer]]
      }),
    ),
  )
}

/** The fewest of these answers with which a violation still happens; null if it does not happen again. */
export async function smallestViolation(
  answers: Answers,
  violates: (answers: Answers) => Promise<boolean>,
): Promise<Answers | null> {
  const all = Object.entries(answers)
  const property = asyncProperty(subarray(all), async (some) => !(await violates(Object.fromEntries(some))))
  const { counterexample } = await check(property, { examples: [[all]], numRuns: 1 })
  const [fewest] = counterexample ?? []
  return fewest === undefined ? null : Object.fromEntries(fewest)
}
