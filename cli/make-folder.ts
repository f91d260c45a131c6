import { statSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { UsageError } from './command-error.ts'

/** Creates a folder and its parents. Node's `recursive` option hangs in file systems like /proc. */
export async function makeFolder(path: string): Promise<void> {
  const folder = resolve(path)
  if (isFolder(folder)) return
  await makeFolder(dirname(folder))
  await mkdir(folder).catch((error: unknown) => {
    // Another process may have created it in the meantime.
    if (!isFolder(folder)) throw error
  })
}

/** @throws {UsageError} when it cannot be created; `option` is named in the message */
export async function requireFolder(path: string, option: string): Promise<void> {
  await makeFolder(path).catch((cause: Error) => {
    throw new UsageError(`\`${option}\` cannot be used: ${cause.message}.`, 'Choose another folder.', {
      cause,
    })
  })
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
