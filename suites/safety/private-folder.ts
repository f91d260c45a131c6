import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { isAlive } from './process-alive.ts'

/** Creates a folder next to the ledger for files that contain a key. Only this user can open it. */
export function createPrivateFolder(ledgerFile: string): string {
  const folder = `${resolve(ledgerFile)}.${process.pid}.private`
  rmSync(folder, { recursive: true, force: true })
  // The report folder may be removed during a run, and the server must be restored nevertheless.
  mkdirSync(dirname(folder), { recursive: true })
  mkdirSync(folder, { mode: 0o700 })
  return folder
}

/** Removes the private folders that killed processes left, and those of this ledger, whose run has ended. */
export function removePrivateFolders(reportFolder: string, ledgerFile = ''): void {
  if (!existsSync(reportFolder)) return
  for (const name of readdirSync(reportFolder)) {
    const [, ledger = '', pid = ''] = /^(.+)\.(\d+)\.private$/.exec(name) ?? []
    // Other folders belong to the user.
    const isOfKit = /^ledger-.+\.jsonl$/.test(ledger)
    // In containers the process of an earlier run often had the same id.
    const hasEnded = Number(pid) === process.pid || !isAlive(Number(pid))
    const isLeft = ledger === basename(ledgerFile) || (isOfKit && hasEnded)
    if (pid !== '' && isLeft) rmSync(join(reportFolder, name), { recursive: true, force: true })
  }
}
