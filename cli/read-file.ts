import { readFileSync } from 'node:fs'
import { UsageError } from './command-error.ts'

/** How messages name a file of the user, and the hint if it cannot be read. */
export interface FileWords {
  readonly name: string
  readonly hint: string
}

/** The text of a file that the user gave. @throws {UsageError} when it cannot be read */
export function readTextFile(path: string, { name, hint }: FileWords): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new UsageError(`${name} cannot be read: ${(cause as Error).message}.`, hint, { cause })
  }
}
