/** A run names a check, a requirement, a question or an answer that its registry does not hold. */
export class UnknownReferenceError extends Error {
  override readonly name = 'UnknownReferenceError'
  readonly hint = 'This is a fault of the kit: the registries under spec/ and suites/ disagree.'

  constructor(who: string, kind: string, id: string) {
    super(`${who} names the ${kind} "${id}", which does not exist.`)
  }
}
