import { type Arbitrary, asyncProperty, check, constantFrom, record, sample } from 'fast-check'
import type { Question } from '../../spec/question.ts'
import type { Answers } from '../target/self-test.ts'

/**
 * Any combination of answers, without the default ones. The default comes first, so that counterexamples shrink to the
 * answers that matter.
 */
function anyAnswers(questions: readonly Question[]): Arbitrary<Answers> {
  const byDefault = new Map(questions.map((question) => [question.id, question.default]))
  const answer = (question: Question) => constantFrom(...new Set([question.default, ...Object.keys(question.answers)]))
  return record(Object.fromEntries(questions.map((question) => [question.id, answer(question)]))).map((all) =>
    Object.fromEntries(Object.entries(all).filter(([id, chosen]) => chosen !== byDefault.get(id))),
  )
}

/** Random profiles, which depend only on the seed. */
export function randomProfiles(questions: readonly Question[], seed: number, count: number): readonly Answers[] {
  return count === 0 ? [] : sample(anyAnswers(questions), { seed, numRuns: count })
}

export interface ViolationSearch {
  readonly questions: readonly Question[]
  /** With `place`, selects one of `randomProfiles`. */
  readonly seed: number
  readonly place: number
  /** Whether the violation happens with these answers. */
  readonly violates: (answers: Answers) => Promise<boolean>
}

/**
 * The smallest set of answers with which the violation still happens, found by leaving them out one by one. Null if it
 * did not happen again.
 */
export async function smallestViolation(search: ViolationSearch): Promise<Answers | null> {
  const { questions, seed, place, violates } = search
  const property = asyncProperty(anyAnswers(questions), async (answers) => !(await violates(answers)))
  const { counterexample } = await check(property, { seed, path: String(place), numRuns: 1 })
  return counterexample?.[0] ?? null
}
