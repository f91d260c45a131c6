import type { Exchange } from '../client/exchange.ts'
import type { Rule } from '../model/rule.ts'
import { expectUnchanged } from './expect.ts'
import { FailedExpectation } from './failure.ts'

/** The requests after which a list is compared with the previous one. */
export interface Requests {
  /** The requests that asked for no change, as text. */
  readonly after: string
  /** All exchanges needed to reproduce the change. */
  readonly steps: readonly Exchange[]
}

/** The failure if the list has changed although no request asked for it; null if it is unchanged. */
export function unrequestedChange(
  list: readonly Rule[],
  before: readonly Rule[],
  { after, steps }: Requests,
): FailedExpectation | null {
  try {
    expectUnchanged(list, before, 'list.changed-unrequested')
    return null
  } catch (error) {
    if (error instanceof FailedExpectation) return error.with({ after }, { steps })
    throw error
  }
}
