import type { FailedExpectation } from '../assertions/failure.ts'

/** A foreign rule was lost or moved by a request of the kit. The server is at fault. */
export class OtherRuleLost extends Error {
  override readonly name: string = 'OtherRuleLost'
  readonly failure: FailedExpectation

  constructor(failure: FailedExpectation, message = failure.message) {
    super(message)
    this.failure = failure
  }
}

/** A DELETE removed something else than the rule at the index: with this server the next one would too. */
export class WrongRuleRemoved extends OtherRuleLost {
  override readonly name = 'WrongRuleRemoved'
}
