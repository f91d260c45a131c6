import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, rmdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'

const parentOf = (reportFolder: string) => join(resolve(reportFolder), 'private')

/** Creates a folder for files that contain a key. Only this user can open it. `announce` is called before it exists. */
export function createPrivateFolder(reportFolder: string, announce: (name: string) => void): string {
  const name = `hook-${randomBytes(8).toString('hex')}`
  announce(name)
  const parent = parentOf(reportFolder)
  const folder = join(parent, name)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  // It may have existed with other permissions.
  chmodSync(parent, 0o700)
  return folder
}

/** Removes a private folder, and its parent folder if that is empty. */
export function removePrivateFolder(reportFolder: string, name: string): void {
  // The name may come from a file and must not lead outside.
  if (!/^hook-[0-9a-f]+$/.test(name)) return
  const parent = parentOf(reportFolder)
  rmSync(join(parent, name), { recursive: true, force: true })
  try {
    rmdirSync(parent)
  } catch {
    // Another run uses the folder, or it does not exist.
  }
}
