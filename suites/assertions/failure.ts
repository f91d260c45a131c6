import type { Exchange } from '../client/exchange.ts'
import type { FailureData } from './failure-data.ts'
import type { FailureCode } from './failure-texts.ts'
import { renderFailure } from './render-failure.ts'

/** What leads to a failure: a request, or as text what is to be done between requests. */
export type Step = Exchange | string

/** What a failure carries besides its data, to reproduce it. */
export interface FailureEvidence {
  /** Everything that it takes to reproduce the failure, where the last request alone does not show it; else empty. */
  readonly steps: readonly Step[]
  /** The request whose response it is about; null where it is about no single one, or simply the last. */
  readonly exchange: Exchange | null
}

/** The target does not do what a requirement demands: the only verdict against it. */
export class FailedExpectation extends Error implements FailureEvidence {
  override readonly name = 'FailedExpectation'
  readonly code: FailureCode
  readonly data: FailureData
  /** The data as text. */
  readonly expected: string
  readonly actual: string
  readonly steps: readonly Step[]
  readonly exchange: Exchange | null

  constructor(code: FailureCode, data: FailureData, evidence: Partial<FailureEvidence> = {}) {
    const { message, expected, actual } = renderFailure(code, data)
    super(message)
    this.code = code
    this.data = data
    this.expected = expected
    this.actual = actual
    this.steps = evidence.steps ?? []
    this.exchange = evidence.exchange ?? null
  }

  /** The same failure with further data or other evidence. */
  with(further: Partial<FailureData>, evidence: Partial<FailureEvidence> = {}): FailedExpectation {
    const { steps, exchange } = this
    return new FailedExpectation(this.code, { ...this.data, ...further }, { steps, exchange, ...evidence })
  }
}

/**
 * The situation that a check is about could not be brought about, because something failed that
 * another check judges. Makes the check `blocked`.
 */
export class CannotArrange extends Error {
  override readonly name: string = 'CannotArrange'
}

/** The target does not allow the check to be run: a full list, for instance. Says why. */
export class OutOfScope extends Error {
  override readonly name = 'OutOfScope'
}

/** The target does not have what the check is about, and need not have it. Says what. */
export class NotApplicable extends Error {
  override readonly name = 'NotApplicable'
}
