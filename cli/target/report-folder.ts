import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readLedger } from '../../suites/safety/ledger.ts'
import { removePrivateFolder } from '../../suites/safety/private-folder.ts'
import { isAlive } from '../../suites/targets/process-alive.ts'
import { UsageError } from '../command-error.ts'
import { makeFolder } from '../make-folder.ts'

/**
 * Makes the folder of the report, before anything is sent. Removes the keys that killed runs left in it.
 *
 * @throws {UsageError} when it cannot be made
 */
export async function makeReportFolder(path: string): Promise<void> {
  try {
    await makeFolder(path)
    await removeLeftKeys(path)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new UsageError(`The report folder cannot be created: ${reason}.`, 'Choose another folder.', {
      cause,
    })
  }
}

async function removeLeftKeys(path: string): Promise<void> {
  for (const name of await readdir(path)) {
    if (!/^ledger-.*\.jsonl$/.test(name)) continue
    for (const { folder, pid } of readLedger(join(path, name))?.privateFolders ?? []) {
      // In containers the process of an earlier run often had the id of this one.
      if (pid === process.pid || !isAlive(pid)) removePrivateFolder(path, folder)
    }
  }
}
