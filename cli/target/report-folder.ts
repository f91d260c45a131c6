import { mkdir } from 'node:fs/promises'
import { UsageError } from '../command-error.ts'

/**
 * Makes the folder of the report, before anything is sent.
 *
 * @throws {UsageError} when it cannot be made
 */
export async function makeReportFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true })
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new UsageError(`The report folder cannot be created: ${reason}.`, 'Choose another folder with `--out`.', {
      cause,
    })
  }
}
