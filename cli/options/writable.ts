import { closeSync, existsSync, openSync, rmSync } from 'node:fs'
import { UsageError } from '../command-error.ts'

/**
 * Refuses a file that cannot be written, before there is anything to lose; leaves what stands there as it is.
 *
 * @throws {UsageError}
 */
export function refuseUnwritable(file: string, option: string): void {
  const isThere = existsSync(file)
  writing(option, () => closeSync(openSync(file, 'a')))
  if (!isThere) rmSync(file, { force: true })
}

/** Says which option named a file that cannot be written. @throws {UsageError} */
export function writing(option: string, write: () => void): void {
  try {
    write()
  } catch (cause) {
    throw new UsageError(`${option} cannot be written: ${(cause as Error).message}.`, 'Choose another path.', { cause })
  }
}
