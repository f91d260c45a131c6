/** A run names a check, a requirement, a question or an answer that no registry contains. */
export class UnknownReferenceError extends Error {
  override readonly name = 'UnknownReferenceError'
  readonly hint = 'This is a bug in the kit: the registries in `spec/` and `suites/` differ.'

  constructor(who: string, kind: string, id: string) {
    super(`${who} names the ${kind} "${id}", which does not exist.`)
  }
}
