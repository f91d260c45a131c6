/** The target does not do what a requirement demands: the only verdict against it. */
export class FailedExpectation extends Error {
  override readonly name = 'FailedExpectation'
  readonly expected: string
  readonly actual: string

  constructor(message: string, sides: { readonly expected: string; readonly actual: string }) {
    super(message)
    this.expected = sides.expected
    this.actual = sides.actual
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
