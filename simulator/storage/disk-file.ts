import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { KeptFile } from './kept-file.ts'
import { takingTurns } from './turns.ts'

/**
 * The file `name` in the folder `directory`, which is made when the first bytes are written.
 *
 * The new bytes go to a neighbour file and reach the disk before they take the name of the
 * file, so a process that is killed at any moment leaves the old file or the new one. The
 * neighbour always has the same name: whatever an earlier death left there is written over.
 */
export function diskFile(directory: string, name: string): KeptFile {
  const path = join(directory, name)
  const turns = takingTurns()
  return {
    read: () => turns.take(() => readFile(path).catch(noFile)),
    write: (bytes) => turns.take(() => replace({ directory, path, bytes })),
    remove: () => turns.take(() => rm(path, { force: true })),
    exists: () => turns.take(() => stat(path).then(() => true, mayExist)),
  }
}

async function replace({ directory, path, bytes }: { directory: string; path: string; bytes: Uint8Array }) {
  const neighbour = `${path}.tmp`
  await mkdir(directory, { recursive: true })
  const file = await open(neighbour, 'w')
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(neighbour, path)
  await syncDirectory(directory)
}

/** Makes the new name durable. Best effort: not every system can sync a folder. */
async function syncDirectory(directory: string): Promise<void> {
  const folder = await open(directory, 'r').catch(() => undefined)
  if (folder === undefined) return
  await folder.sync().catch(() => undefined)
  await folder.close()
}

/** What cannot be looked at may be there; without a folder there is nothing. */
function mayExist({ code }: NodeJS.ErrnoException): boolean {
  return code !== 'ENOENT' && code !== 'ENOTDIR'
}

function noFile(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined
  throw error
}
