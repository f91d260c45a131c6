import { isDate } from 'node:util/types'
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

/** What a value must be, to complete a sentence, and whether it is that. */
type Kind = readonly [expected: string, accepts: (value: unknown) => boolean]

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isInteger = (value: unknown, highest = Number.MAX_SAFE_INTEGER) =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= highest

const isStrings = (value: unknown, accepts = (_: string) => true) =>
  isObject(value) &&
  Object.values(value).every((one: unknown) => one === undefined || (typeof one === 'string' && accepts(one)))

/** The kinds of values that options have. */
const kinds = {
  string: ['a string', (value) => typeof value === 'string'],
  // An empty string would listen on all addresses.
  host: ['a host name or an address', (value) => typeof value === 'string' && value !== ''],
  boolean: ['true or false', (value) => typeof value === 'boolean'],
  count: ['an integer of at least 0', (value) => isInteger(value)],
  milliseconds: ['a number of at least 0', (value) => typeof value === 'number' && value >= 0],
  port: ['an integer from 0 to 65535', (value) => isInteger(value, 65_535)],
  status: ['a number or null', (value) => value === null || Number.isFinite(value)],
  list: ['a list', Array.isArray],
  object: ['an object', isObject],
  date: ['a valid Date', (value) => isDate(value) && !Number.isNaN(value.getTime())],
  strings: ['an object with strings', (value) => isStrings(value)],
  headers: [
    'an object with strings that a header can carry',
    (value) => isStrings(value, (text) => /^[\t\x20-\x7e\x80-\xff]*$/.test(text)),
  ],
  function: ['a function', (value) => typeof value === 'function'],
  log: [
    'a function or a logger',
    (value) =>
      typeof value === 'function' || (isObject(value) && 'info' in value && 'warn' in value && 'error' in value),
  ],
  file: ['a file, such as memoryRulesFile()', (value) => isObject(value) && 'read' in value && 'write' in value],
} as const satisfies Readonly<Record<string, Kind>>

/** The name of a kind. */
type KindName = keyof typeof kinds

/** The kind of each option of a type. */
export type OptionKinds<Options> = { readonly [Name in keyof Required<Options>]: KindName }

/**
 * `parent` is the option that the others belong to.
 *
 * @throws UnknownOptionError for the first option that does not exist
 */
export function checkNames(options: object, names: object, parent?: string): void {
  const inFull = (name: string) => (parent === undefined ? name : `${parent}.${name}`)
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(names, name))
  if (unknown !== undefined) throw new UnknownOptionError(inFull(unknown), Object.keys(names).map(inFull))
}

/** An option without a value has its default. @throws UnknownOptionError, InvalidOptionError */
export function checkOptions(options: object, all: Readonly<Record<string, KindName>>, parent?: string): void {
  check(parent ?? 'The argument', options, 'object')
  checkNames(options, all, parent)
  for (const [name, value] of Object.entries(options)) {
    if (value !== undefined) check(parent === undefined ? name : `${parent}.${name}`, value, all[name] as KindName)
  }
}

/** The options that have a value. */
export function given<Options extends object>(options: Options): Options {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Options
}

/** The value, if it is of the kind. @throws InvalidOptionError */
export function check<Value>(name: string, value: Value, kind: KindName): Value {
  const [expected, accepts] = kinds[kind]
  if (accepts(value)) return value
  throw new InvalidOptionError(name, expected)
}
