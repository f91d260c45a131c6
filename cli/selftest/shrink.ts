import { expectedKills } from '../target/self-test.ts'
import type { Violation } from './document.ts'
import { answersText, type PossibleViolation } from './laws.ts'
import { failedIn, violationKind } from './matrix.ts'
import { smallestViolation } from './profiles.ts'
import type { ApiScope } from './scope.ts'
import type { SelfTestTask } from './task.ts'
import type { Threads } from './threads.ts'

/** A few small examples are enough, even if there are many violations. */
const maxShrunk = 10

export interface Shrinking {
  readonly scope: ApiScope
  readonly seed: number
  readonly threads: Threads
}

/** The possible violations, with as few answers as possible. */
export async function shrinkAll(
  possible: readonly PossibleViolation[],
  shrinking: Shrinking,
): Promise<readonly Violation[]> {
  let shrunk = 0
  return Promise.all(
    possible.map(async ({ profile, ...finding }) => {
      if (profile !== null) shrunk += 1
      const answers =
        profile === null || shrunk > maxShrunk ? finding.answers : await shrink({ ...finding, profile }, shrinking)
      return { ...finding, answers, sentence: finding.sentence.replace('{answers}', () => answersText(answers)) }
    }),
  )
}

type Shrinkable = PossibleViolation & { readonly profile: number }

async function shrink(possible: Shrinkable, shrinking: Shrinking): Promise<Violation['answers']> {
  const { api } = shrinking.scope
  const smallest = await smallestViolation({
    questions: api.questions,
    seed: shrinking.seed,
    place: possible.profile,
    violates: (answers) => violates({ ...possible, answers }, shrinking),
  })
  // A violation that does not happen again keeps its original answers.
  return smallest ?? possible.answers
}

async function violates({ defect, requirement, check, answers }: Shrinkable, { scope, seed, threads }: Shrinking) {
  const task: SelfTestTask = {
    api: scope.api.name,
    defects: defect === null ? [] : [defect],
    answers,
    requirements: requirement === null ? [] : [requirement],
    observes: defect === null && requirement === null,
    seed,
    scope: null,
    only: null,
  }
  const known = scope.api.defects.find(({ id }) => id === defect)
  if (known === undefined) {
    const results = await threads.run(task)
    return results.some((result) => result.check === check && violationKind(scope.api, answers, result) !== null)
  }
  const isDue = expectedKills(scope.api, known, answers).due.some((id) => id === requirement)
  if (!isDue || requirement === null) return false
  return !failedIn(scope, await threads.run(task)).includes(requirement)
}
