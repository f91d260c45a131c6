import { closeSync, existsSync, openSync, rmSync } from 'node:fs'
import { UsageError } from '../command-error.ts'

/**
 * Rejects a file that cannot be written, before there are results to lose. An existing file is not changed.
 *
 * @throws {UsageError}
 */
export function rejectUnwritable(file: string, option: string): void {
  const isThere = existsSync(file)
  writing(option, () => closeSync(openSync(file, 'a')))
  if (!isThere) rmSync(file, { force: true })
}

/** Turns a write error into one that names the option. @throws {UsageError} */
export function writing(option: string, write: () => void): void {
  try {
    write()
  } catch (cause) {
    throw new UsageError(`\`${option}\` cannot be written: ${(cause as Error).message}.`, 'Choose another path.', {
      cause,
    })
  }
}
