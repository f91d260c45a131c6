import type { FailedExpectation } from '../assertions/failure.ts'
import type { FailureCode } from '../assertions/failure-texts.ts'

/** Another client changed the list during the run. The run stops, without a verdict about the server. */
export class ConcurrentEdit extends Error {
  override readonly name = 'ConcurrentEdit'
  readonly reason: string
  /** What changed, one line each. */
  readonly changes: readonly string[]

  constructor(reason: string, changes: readonly string[]) {
    super(`${reason}: ${changes.join('; ')}`)
    this.reason = reason
    this.changes = changes
  }
}

/** How a server can harm foreign rules, and the requirement that it breaks. */
const requirements = {
  'list.other-rule-lost-by-add': 'plugin.add.leaves-others',
  'list.other-removed': 'plugin.delete.keeps-order',
} as const satisfies Partial<Record<FailureCode, string>>

export type HarmCode = keyof typeof requirements

/** Whether a check failed because the server harmed foreign rules. */
export function isHarm(code: FailureCode | null): code is HarmCode {
  return code !== null && code in requirements
}

/** A foreign rule was lost or moved by a request of the kit. The server is at fault, whichever check sent it. */
export class ForeignRuleLost extends Error {
  override readonly name = 'ForeignRuleLost'
  readonly failure: FailedExpectation
  readonly requirement: string

  constructor(failure: FailedExpectation, message = failure.message) {
    super(message)
    this.failure = failure
    this.requirement = requirements[failure.code as HarmCode]
  }
}
