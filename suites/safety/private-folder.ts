import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, rmdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'

const parentOf = (reportFolder: string) => join(resolve(reportFolder), 'private')

/**
 * Creates a folder for files that hold a key, in the report folder. Only this user can open it.
 *
 * @param announce gets its name before it exists
 */
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

/** Removes a private folder, and the folder around it once that is empty. */
export function removePrivateFolder(reportFolder: string, name: string): void {
  // The name may come from a file, and must not lead elsewhere.
  if (!/^hook-[0-9a-f]+$/.test(name)) return
  const parent = parentOf(reportFolder)
  rmSync(join(parent, name), { recursive: true, force: true })
  try {
    rmdirSync(parent)
  } catch {
    // Another run uses it, or it does not exist.
  }
}
