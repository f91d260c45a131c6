import { InvalidArgumentError, type Option } from 'commander'
import { visibleLine } from '../../reports/visible.ts'
import { didYouMean } from '../../simulator/documents/nearest.ts'
import { UsageError } from '../command-error.ts'
import { alternatives } from './alternatives.ts'
import { type ConfigEntry, place } from './read.ts'

/** Validates a file against options. @throws {UsageError} with all problems at once, without their values */
export function resolveConfig(
  path: string,
  entries: readonly ConfigEntry[],
  options: readonly Option[],
): ReadonlyMap<string, unknown> {
  const values = new Map<string, unknown>()
  const problems: string[] = []
  for (const entry of entries) {
    try {
      values.set(entry.key, settingOf(entry, options))
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error
      problems.push(`${place(path, entry.line)}: ${error.message}`)
    }
  }
  const isOn = ({ key }: ConfigEntry) => values.get(key) !== undefined && values.get(key) !== false
  for (const group of alternatives) {
    const [first, second] = entries.filter((entry) => group.includes(entry.key) && isOn(entry))
    if (first === undefined || second === undefined) continue
    problems.push(`${place(path, second.line)}: \`${first.key}\` and \`${second.key}\` exclude each other.`)
  }
  if (problems.length === 0) return values
  throw new UsageError(problems.join('\n'), 'Use the names of the flags in camelCase, like `maxFill` for `--max-fill`.')
}

function settingOf({ key, value }: ConfigEntry, options: readonly Option[]): unknown {
  const option = options.find((candidate) => candidate.attributeName() === key)
  if (option === undefined) throw new InvalidArgumentError(unknownKey(key, options))
  if (isSecret(key))
    throw new InvalidArgumentError(`\`${key}\` is not allowed in this file. ${remedy(option, options)}`)
  if (key === 'yes') {
    throw new InvalidArgumentError('`yes` is not allowed in this file. Give `--yes` on the command line for each run.')
  }
  try {
    return optionValue(option, value)
  } catch (error) {
    throw error instanceof InvalidArgumentError ? new InvalidArgumentError(`\`${key}\`: ${error.message}`) : error
  }
}

function unknownKey(key: string, options: readonly Option[]): string {
  const names = options.map((option) => option.attributeName()).filter((name) => !isSecret(name))
  // The suggestion must not invite the user to write the key into the file.
  const holdsKey = isSecret(key) && names.includes('apiKeyFile')
  return `unknown member \`${visibleLine(key)}\`.${holdsKey ? ' Did you mean `apiKeyFile`?' : didYouMean(key, names, '`')}`
}

/** Configuration files are committed, so they must not hold secrets. */
function isSecret(name: string): boolean {
  return /(key|secret|password|token)$/i.test(name)
}

function remedy(option: Option, options: readonly Option[]): string {
  const file = options.map((other) => other.attributeName()).find((name) => name === `${option.attributeName()}File`)
  const ways = [
    ...(option.envVar === undefined ? [] : [`set \`${option.envVar}\``]),
    ...(file === undefined ? [] : [`give \`${file}\` with the path of a file that contains only the key`]),
  ]
  return ways.length === 0 ? `Use \`${option.flags}\`.` : `The file may be committed: ${ways.join(', or ')}.`
}

/** Parses a value with the parser of its flag. @throws {InvalidArgumentError} with what is expected */
function optionValue(option: Option, value: unknown): unknown {
  const takesValue = option.required || option.optional
  if (typeof value === 'boolean' && !option.required) return value
  if (!takesValue) throw new InvalidArgumentError('Give `true` or `false`.')
  const parse = (before: unknown, item: unknown) => {
    const text = stringOf(option, item)
    return option.parseArg?.(text, before) ?? text
  }
  if (!isRepeatable(option)) return parse(option.defaultValue, value)
  return (Array.isArray(value) ? value : [value]).reduce(parse, [])
}

/** Whether the flag can be repeated; if so, the file may hold a list. */
function isRepeatable({ defaultValue }: Option): boolean {
  return Array.isArray(defaultValue)
}

function stringOf(option: Option, value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  const list = isRepeatable(option) ? ', or a list of them' : ''
  throw new InvalidArgumentError(`Give a string or a number${list}, as for \`${option.flags}\`.`)
}
