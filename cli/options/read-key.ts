import { readFileSync } from 'node:fs'
import { UsageError } from '../command-error.ts'

/** The ways to give a key; commander fills `apiKey` from TCK_API_KEY. */
export interface KeyFlags {
  readonly apiKey?: string
  readonly apiKeyFile?: string
}

/**
 * The key of the file, or else of the flag or the environment; null if there is none.
 *
 * @throws {UsageError} when the file cannot be read or the key fits into no header
 */
export function readKey({ apiKey, apiKeyFile }: KeyFlags): string | null {
  const key = apiKeyFile === undefined ? apiKey : readSecretFile(apiKeyFile, '--api-key-file')
  return key === undefined ? null : checkKey(key)
}

/** @throws {UsageError} for a key that no header can carry */
export function checkKey(key: string): string {
  if (/^[\x21-\x7e]+$/.test(key)) return key
  throw new UsageError(
    'The key is empty or has characters that no HTTP header can carry.',
    'Use letters, digits and punctuation of ASCII, without spaces.',
  )
}

/**
 * What a file holds, without the white space around it. `flag` is what named the file.
 *
 * @throws {UsageError} when it cannot be read
 */
export function readSecretFile(path: string, flag: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new UsageError(
      `${flag} cannot be read: ${reason}.`,
      `Give the path of a file that holds the ${flag.includes('secret') ? 'secret' : 'key'} alone.`,
      { cause },
    )
  }
}
