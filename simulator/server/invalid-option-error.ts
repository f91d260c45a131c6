/** An option or a parameter has a value that cannot be used. */
export class InvalidOptionError extends Error {
  override readonly name = 'InvalidOptionError'
  readonly hint: string

  constructor(option: string, expected: string) {
    super(`${option} must be ${expected}.`)
    this.hint = `Correct ${option.replace(/^The/, 'the')}, or leave it out.`
  }
}
