import { shortestContradiction } from '../model/linearizable.ts'
import { type Choices, type ListOperation, type ListState, listModel } from '../model/rule-list.ts'
import { timeline } from '../model/timeline.ts'
import { FailedExpectation } from './failure.ts'

interface Claim {
  /** What is wrong if nothing explains the answers. */
  readonly otherwise: string
  readonly expected: string
  /** The list before the first operation. */
  readonly before: ListState
  readonly choices: Choices
  /** What the operations were drawn with. */
  readonly seed: number
}

/** Some order of the operations explains every answer. The shortest part that none explains is drawn as a timeline. */
export function expectExplained(operations: readonly ListOperation[], claim: Claim): void {
  const found = shortestContradiction(operations, claim.before, listModel(claim.choices))
  if (found === null) return
  throw new FailedExpectation(`${claim.otherwise} (drawn with --seed ${claim.seed})`, {
    expected: claim.expected,
    actual: timeline(found),
  })
}
