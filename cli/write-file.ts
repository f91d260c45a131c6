import { writeFileSync } from 'node:fs'
import { UsageError } from './command-error.ts'

/** Writes a file that the user named with `--out`. @throws {UsageError} when it cannot be written */
export function writeTextFile(path: string, text: string): void {
  try {
    writeFileSync(path, text)
  } catch (cause) {
    throw new UsageError(
      `${path} cannot be written: ${(cause as Error).message}.`,
      'Choose another file with `--out`.',
      {
        cause,
      },
    )
  }
}
