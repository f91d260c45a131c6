import { UsageError } from '../command-error.ts'
import { readTextFile } from '../read-file.ts'

const hint =
  'Give a JSON object of strings, like { "API_Key": "…", "API_Port": "8443", "Copy_1": "1001>2001,mult,1,same" }.'

/**
 * Plugin parameters from a JSON file. `option` is the option that named the file.
 *
 * @throws {UsageError} for anything but a JSON object of strings
 */
export function readParameters(option: string, path: string): Record<string, string> {
  const parameters = parse(option, path)
  if (typeof parameters !== 'object' || parameters === null || Array.isArray(parameters)) {
    throw new UsageError(`\`${option}\` must hold a JSON object of strings.`, hint)
  }
  const wrong = Object.entries(parameters).find(([, value]) => typeof value !== 'string')
  if (wrong !== undefined) {
    throw new UsageError(`\`${option}\` must hold a JSON object of strings: \`${wrong[0]}\` must be a string.`, hint)
  }
  return parameters as Record<string, string>
}

function parse(option: string, path: string): unknown {
  const text = readTextFile(path, { name: `\`${option}\``, hint })
  try {
    return JSON.parse(text)
  } catch (cause) {
    // The message of the parser shows a piece of the file, and the key is in it.
    throw new UsageError(`\`${option}\` cannot be read: the file is not valid JSON.`, hint, { cause })
  }
}
