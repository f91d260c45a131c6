import { shortestContradiction } from '../model/linearizable.ts'
import { type Choices, type ListOperation, type ListState, listModel } from '../model/rule-list.ts'
import { timeline } from '../model/timeline.ts'
import { failure } from './expect.ts'

interface Claim {
  /** The failure if no order explains the responses. */
  readonly code: 'concurrency.unexplained' | 'durability.unexplained'
  /** The list before the first operation. */
  readonly before: ListState
  readonly choices: Choices
  /** The seed of the random operations. */
  readonly seed: number
}

/**
 * Some order of the operations explains every response. On failure, the shortest unexplained part is shown as a
 * timeline.
 */
export function expectExplained(operations: readonly ListOperation[], { code, before, choices, seed }: Claim): void {
  const found = shortestContradiction(operations, before, listModel(choices))
  if (found === null) return
  throw failure(code, { actual: timeline(found), difference: null }).with({ seed })
}
