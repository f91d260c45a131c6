/** An option or a parameter has a value that cannot be used. */
export class InvalidOptionError extends Error {
  override readonly name = 'InvalidOptionError'
  readonly hint: string

  constructor(option: string, expected: string) {
    super(`${option} must be ${expected}.`)
    this.hint = `Correct ${option.replace(/^The/, 'the')}, or leave it out.`
  }
}

/** @throws InvalidOptionError */
export function checkCount(name: string, count: number): number {
  if (Number.isInteger(count) && count >= 0) return count
  throw new InvalidOptionError(name, 'an integer of at least 0')
}

/** @throws InvalidOptionError */
export function checkPort(name: string, port: number): number {
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port
  throw new InvalidOptionError(name, 'an integer from 0 to 65535')
}
