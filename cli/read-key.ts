import { readFileSync } from 'node:fs'
import { UsageError } from './command-error.ts'

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
  const key = apiKeyFile === undefined ? apiKey : readKeyFile(apiKeyFile)
  if (key === undefined) return null
  if (/^[\x21-\x7e]+$/.test(key)) return key
  throw new UsageError(
    'The key is empty or has characters that no HTTP header can carry.',
    'Use letters, digits and punctuation of ASCII, without spaces.',
  )
}

function readKeyFile(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new UsageError(
      `--api-key-file cannot be read: ${reason}.`,
      'Give the path of a file that holds the key alone.',
      { cause },
    )
  }
}
