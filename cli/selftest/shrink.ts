import { expectedKills } from '../target/self-test.ts'
import type { Violation } from './document.ts'
import { answersText, type PossibleViolation } from './laws.ts'
import { failedIn, violationKind } from './matrix.ts'
import type { Processes } from './processes.ts'
import { smallestViolation } from './profiles.ts'
import type { ApiScope } from './scope.ts'
import { bareTask, type SelfTestTask } from './task.ts'

/** A few small examples are enough, even if there are many violations. */
const maxShrunk = 10

/** The possible violations, with as few answers as possible. A violation that does not happen again keeps its answers. */
export async function shrinkAll(
  possible: readonly PossibleViolation[],
  scope: ApiScope,
  run: Processes['run'],
): Promise<readonly Violation[]> {
  let shrunk = 0
  return Promise.all(
    possible.map(async ({ profile: place, ...finding }) => {
      if (place !== null) shrunk += 1
      const isShrunk = place !== null && shrunk <= maxShrunk
      const smallest = isShrunk
        ? await smallestViolation({
            ...{ questions: scope.api.questions, seed: scope.seed, place },
            violates: (answers) => violates({ ...finding, answers }, scope, run),
          })
        : null
      const answers = smallest ?? finding.answers
      return { ...finding, answers, sentence: finding.sentence.replace('{answers}', () => answersText(answers)) }
    }),
  )
}

async function violates({ defect, requirement, check, answers }: Violation, scope: ApiScope, run: Processes['run']) {
  const task: SelfTestTask = {
    ...{ ...bareTask, api: scope.api.name, answers, seed: scope.seed },
    defects: defect === null ? [] : [defect],
    requirements: requirement === null ? [] : [requirement],
    observes: defect === null && requirement === null,
  }
  const known = scope.api.defects.find(({ id }) => id === defect)
  if (known === undefined) {
    const results = await run(task)
    return results.some((result) => result.check === check && violationKind(scope.api, answers, result) !== null)
  }
  const isDue = expectedKills(scope.api, known, answers).due.some((id) => id === requirement)
  if (!isDue || requirement === null) return false
  return !failedIn(scope, await run(task)).includes(requirement)
}
