import type { FailedExpectation } from '../assertions/failure.ts'
import type { FailureCode } from '../assertions/failure-texts.ts'

/** Another client changed the list during the run, or a cache shows it late. The run stops, without a verdict. */
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

/** What a server can do wrong around any check, and the requirement that it breaks. */
const requirements = {
  'list.other-rule-lost-by-add': 'plugin.add.leaves-others',
  'list.other-removed': 'plugin.delete.keeps-order',
  'rule.listed-after-delete': 'plugin.rule.exists-until-removed',
} as const satisfies Partial<Record<FailureCode, string>>

export type HarmCode = keyof typeof requirements

/** Whether a check failed because of such a fault. */
export function isHarm(code: FailureCode | null): code is HarmCode {
  return code !== null && code in requirements
}

/**
 * A foreign rule was lost or moved by a request of the kit, or a rule of the kit cannot be removed. The server is at
 * fault, whichever check sent the request.
 */
export class ServerFault extends Error {
  override readonly name = 'ServerFault'
  readonly failure: FailedExpectation
  readonly requirement: string

  constructor(failure: FailedExpectation, message = failure.message) {
    super(message)
    this.failure = failure
    this.requirement = requirements[failure.code as HarmCode]
  }
}
