import { UsageError } from '../command-error.ts'
import { readTextFile } from '../read-file.ts'

/** The options that hold a key; commander fills `apiKey` from TCK_API_KEY. */
export interface KeyFlags {
  readonly apiKey?: string
  readonly apiKeyFile?: string
}

/**
 * The key of the file, or else of the flag or the environment; null if there is none.
 *
 * @throws {UsageError} when the file cannot be read or a header cannot hold the key
 */
export function readKey({ apiKey, apiKeyFile }: KeyFlags): string | null {
  const key = apiKeyFile === undefined ? apiKey : readSecretFile(apiKeyFile, '--api-key-file')
  return key === undefined ? null : checkKey(key)
}

/** @throws {UsageError} for a key that a header cannot hold */
export function checkKey(key: string): string {
  if (/^[\x21-\x7e]+$/.test(key)) return key
  throw new UsageError(
    'The API key is empty or contains characters that are not allowed in an HTTP header.',
    'Use ASCII letters, digits and punctuation without spaces.',
  )
}

/**
 * The trimmed content of a file. `flag` is the option that named the file.
 *
 * @throws {UsageError} when it cannot be read
 */
export function readSecretFile(path: string, flag: string): string {
  const hint = `Give the path of a file that contains only the ${flag.includes('secret') ? 'secret' : 'key'}.`
  return readTextFile(path, { name: `\`${flag}\``, hint }).trim()
}
