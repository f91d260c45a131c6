import type { Command } from 'commander'
import { UsageError } from '../command-error.ts'
import { readTextFile } from '../files.ts'
import type { Environment } from '../transport/proxy.ts'

/** The options that hold a key; commander fills `apiKey` from TCK_API_KEY. */
interface KeyFlags {
  readonly apiKey?: string
  readonly apiKeyFile?: string
}

/** The key and its source, the file first; null without a key. @throws {UsageError} for an unusable file or key */
export function readKey({ apiKey, apiKeyFile }: KeyFlags, env: Environment = process.env) {
  if (apiKeyFile !== undefined) {
    return { key: checkKey(readSecretFile(apiKeyFile, '--api-key-file')), source: '--api-key-file' }
  }
  if (apiKey === undefined) return null
  return { key: checkKey(apiKey), source: apiKey === env.TCK_API_KEY ? 'TCK_API_KEY' : '--api-key' }
}

/** With two different keys one is a mistake and could be sent to the wrong server. @throws {UsageError} */
export function rejectTwoKeys(command: Command, env: Environment = process.env): void {
  const { apiKey, apiKeyFile } = command.opts<KeyFlags>()
  const given = {
    '--api-key-file': apiKeyFile && readSecretFile(apiKeyFile, '--api-key-file'),
    '--api-key': command.getOptionValueSource('apiKey') === 'cli' ? apiKey : undefined,
    // A compose file sets a variable without a value to an empty string.
    TCK_API_KEY: env.TCK_API_KEY || undefined,
  }
  const [first, ...others] = Object.entries(given).filter(([, key]) => key !== undefined)
  const other = others.find(([, key]) => key !== first?.[1])
  if (first === undefined || other === undefined) return
  throw new UsageError(
    `\`${first[0]}\` and \`${other[0]}\` hold different keys, so nothing was sent.`,
    other[0] === 'TCK_API_KEY'
      ? `Leave out \`${first[0]}\`, or remove the environment variable: \`unset TCK_API_KEY\`.`
      : 'Leave out one of them.',
  )
}

/** @throws {UsageError} for a key that a header cannot hold */
export function checkKey(key: string): string {
  if (/^[\x21-\x7e]+$/.test(key)) return key
  throw new UsageError(
    'The API key is empty or contains characters that are not allowed in an HTTP header.',
    'Use ASCII letters, digits and punctuation without spaces.',
  )
}

/** The trimmed content of a file that was named by the option `flag`. @throws {UsageError} if there is none */
export function readSecretFile(path: string, flag: string): string {
  const hint = `Give the path of a file that contains only the ${flag.includes('secret') ? 'secret' : 'key'}.`
  const content = readTextFile(path, { name: `\`${flag}\``, hint }).trim()
  if (content === '') throw new UsageError(`The file of \`${flag}\` is empty: ${path}.`, hint)
  return content
}

const hint =
  'Give a JSON object of strings, like { "API_Key": "…", "API_Port": "8443", "Copy_1": "1001>2001,mult,1,same" }.'

/** Plugin parameters from the file of an option. @throws {UsageError} for anything but a JSON object of strings */
export function readParameters(option: string, path: string): Record<string, string> {
  const text = readTextFile(path, { name: `\`${option}\``, hint })
  let parameters: unknown
  try {
    parameters = JSON.parse(text)
  } catch (cause) {
    // The parser's message quotes part of the file, which contains the key.
    throw new UsageError(`\`${option}\` cannot be read: the file is not valid JSON.`, hint, { cause })
  }
  if (typeof parameters !== 'object' || parameters === null || Array.isArray(parameters)) {
    throw new UsageError(`\`${option}\` must hold a JSON object of strings.`, hint)
  }
  const wrong = Object.entries(parameters).find(([, value]) => typeof value !== 'string')
  if (wrong !== undefined) {
    throw new UsageError(`\`${option}\` must hold a JSON object of strings: \`${wrong[0]}\` must be a string.`, hint)
  }
  return parameters as Record<string, string>
}
