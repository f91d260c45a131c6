import { InvalidArgumentError, type Option } from 'commander'
import { visibleLine } from '../../reports/visible.ts'
import { nearest } from '../../simulator/documents/nearest.ts'
import { UsageError } from '../command-error.ts'
import { type ConfigEntry, type ConfigFile, place } from './config-file.ts'
import { optionValue } from './value.ts'

/**
 * Checks what a file holds against the options of a command. The names are those of the flags in
 * camelCase. Every line that is wrong is told at once, and never with its value.
 *
 * @throws {UsageError} for unknown keys, wrong values, and secrets
 */
export function resolveConfig({ path, entries }: ConfigFile, options: readonly Option[]): ReadonlyMap<string, unknown> {
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
  if (problems.length === 0) return values
  throw new UsageError(
    problems.join('\n'),
    'Options have the names of the flags of this command in camelCase, like maxFill for --max-fill.',
  )
}

function settingOf({ key, value }: ConfigEntry, options: readonly Option[]): unknown {
  const option = options.find((candidate) => candidate.attributeName() === key)
  if (option === undefined) throw new InvalidArgumentError(unknownKey(key, options))
  if (isSecret(key)) throw new InvalidArgumentError(`${key} does not belong in this file. ${remedy(option, options)}`)
  if (key === 'yes') {
    throw new InvalidArgumentError('yes does not belong in this file: consent is given for one run, with --yes.')
  }
  try {
    return optionValue(option, value)
  } catch (error) {
    throw error instanceof InvalidArgumentError ? new InvalidArgumentError(`${key}: ${error.message}`) : error
  }
}

function unknownKey(key: string, options: readonly Option[]): string {
  const names = options.map((option) => option.attributeName()).filter((name) => !isSecret(name))
  // An invitation to write the key into the file under another name would be the wrong one.
  const meant = isSecret(key) && names.includes('apiKeyFile') ? 'apiKeyFile' : nearest(key, names)
  return `unknown key ${visibleLine(key)}${meant === undefined ? '' : `, did you mean ${meant}?`}`
}

/** Files like this one are checked in, where a secret is seen by many and for ever. */
function isSecret(name: string): boolean {
  return /(key|secret|password|token)$/i.test(name)
}

function remedy(option: Option, options: readonly Option[]): string {
  const file = options.map((other) => other.attributeName()).find((name) => name === `${option.attributeName()}File`)
  const ways = [
    ...(option.envVar === undefined ? [] : [`set ${option.envVar}`]),
    ...(file === undefined ? [] : [`give ${file} with the path of a file that holds it alone`]),
  ]
  return ways.length === 0 ? `Use ${option.flags}.` : `It may be checked in: ${ways.join(', or ')}.`
}
