import { type Arbitrary, asyncProperty, check, constantFrom, sample as draw, record, subarray } from 'fast-check'
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
  /** Whether the observations are tested too. */
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

/** Any non-default answers. The default comes first, so that counterexamples shrink to the answers that matter. */
function anyAnswers(questions: readonly Question[]): Arbitrary<Answers> {
  const byDefault = new Map(questions.map((question) => [question.id, question.default]))
  const answer = (question: Question) => constantFrom(...new Set([question.default, ...Object.keys(question.answers)]))
  return record(Object.fromEntries(questions.map((question) => [question.id, answer(question)]))).map((all) =>
    Object.fromEntries(Object.entries(all).filter(([id, chosen]) => chosen !== byDefault.get(id))),
  )
}

/** Random profiles, which depend only on the seed. */
export function randomProfiles(questions: readonly Question[], seed: number, count: number): readonly Answers[] {
  return count === 0 ? [] : draw(anyAnswers(questions), { seed, numRuns: count })
}

/** The smallest set of answers of the profile at `place` with which a violation still happens; null if it does not. */
export async function smallestViolation(
  questions: readonly Question[],
  { seed, place }: Readonly<Record<'seed' | 'place', number>>,
  violates: (answers: Answers) => Promise<boolean>,
): Promise<Answers | null> {
  const property = asyncProperty(anyAnswers(questions), async (answers) => !(await violates(answers)))
  const { counterexample } = await check(property, { seed, path: String(place), numRuns: 1 })
  return counterexample?.[0] ?? null
}
