import type { Exchange } from '../client/exchange.ts'

/** What leads to a failure: a request, or in words what is to be done between requests. */
export type Step = Exchange | string

/** The target does not do what a requirement demands: the only verdict against it. */
export class FailedExpectation extends Error {
  override readonly name = 'FailedExpectation'
  readonly expected: string
  readonly actual: string
  /** Everything that it takes to see the failure again, where the last request alone does not show it; else empty. */
  readonly steps: readonly Step[]
  /** The request whose answer it is about; null where it is about no single one, or simply the last. */
  readonly exchange: Exchange | null

  constructor(
    message: string,
    sides: {
      readonly expected: string
      readonly actual: string
      readonly steps?: readonly Step[]
      readonly exchange?: Exchange | null
    },
  ) {
    super(message)
    this.expected = sides.expected
    this.actual = sides.actual
    this.steps = sides.steps ?? []
    this.exchange = sides.exchange ?? null
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
