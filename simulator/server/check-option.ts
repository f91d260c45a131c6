import { didYouMean } from '../documents/nearest.ts'

/** An option or a parameter has an invalid value. */
export class InvalidOptionError extends Error {
  override readonly name = 'InvalidOptionError'
  readonly hint: string

  constructor(option: string, expected: string) {
    super(`${option} must be ${expected}.`)
    this.hint = `Correct ${option.replace(/^The/, 'the')}, or leave it out.`
  }
}

/** An option does not exist. Ignoring it would hide a spelling mistake. */
export class UnknownOptionError extends Error {
  override readonly name = 'UnknownOptionError'
  readonly hint: string

  constructor(option: string, known: readonly string[]) {
    super(`There is no option "${option}".${didYouMean(option, known)}`)
    this.hint = `Use one of: ${known.join(', ')}.`
  }
}

/** The names of all options of a type. */
export type OptionNames<Options> = { readonly [Name in keyof Required<Options>]: true }

/** @throws UnknownOptionError for the first option that does not exist; `parent` is the option that they belong to */
export function checkNames(options: object, names: object, parent?: string): void {
  const inFull = (name: string) => (parent === undefined ? name : `${parent}.${name}`)
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(names, name))
  if (unknown !== undefined) throw new UnknownOptionError(inFull(unknown), Object.keys(names).map(inFull))
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
