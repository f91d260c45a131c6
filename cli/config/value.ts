import { InvalidArgumentError, type Option } from 'commander'

/**
 * The value of an option from what a configuration file holds for it, by the parser of the flag.
 *
 * @throws {InvalidArgumentError} when the flag would reject it; the message says what is expected
 */
export function optionValue(option: Option, value: unknown): unknown {
  const takesValue = option.required || option.optional
  if (typeof value === 'boolean' && !option.required) return value
  if (!takesValue) throw new InvalidArgumentError('Give `true` or `false`.')
  if (!isRepeatable(option)) return parse(option, stringOf(option, value), option.defaultValue)
  const items: readonly unknown[] = Array.isArray(value) ? value : [value]
  return items.reduce<unknown>((before, item) => parse(option, stringOf(option, item), before), [])
}

/** Whether the flag can be repeated; then the file may hold a list. */
function isRepeatable({ variadic, defaultValue }: Option): boolean {
  return variadic || Array.isArray(defaultValue)
}

function parse(option: Option, text: string, before: unknown): unknown {
  if (option.parseArg !== undefined) return option.parseArg(text, before)
  return isRepeatable(option) ? [...(before as readonly string[]), text] : text
}

function stringOf(option: Option, value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  const list = isRepeatable(option) ? ', or a list of them' : ''
  throw new InvalidArgumentError(`Give a string or a number${list}, as for \`${option.flags}\`.`)
}
