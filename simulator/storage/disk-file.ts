import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Mutex } from 'async-mutex'
import { appendTo, type FileState } from './append.ts'
import type { OnWriteStep, StoredFile } from './stored-file.ts'

/**
 * The file `name` in the folder `directory`, which is created at the first write. New bytes are written to a temporary
 * file and synced before it is renamed, so a process that is killed at any moment leaves the old file or the new one.
 * The temporary file always has the same name, so that the next write replaces one that a killed process left behind.
 */
export function diskFile(
  directory: string,
  name: string,
  { mode = 0o666, fsync = true }: DiskOptions = {},
): StoredFile {
  const path = join(directory, name)
  const mutex = new Mutex()
  /** The state of the file after the last write of this object. */
  let left: { state: FileState } | undefined
  return {
    read: () => mutex.runExclusive(() => readFile(path).catch(noFile)),
    write: (bytes, at = nothing) =>
      mutex.runExclusive(async () => {
        left = undefined
        left = { state: await replace({ directory, path, bytes, mode, fsync, at }) }
      }),
    appender: () => {
      const current = left
      return (bytes) =>
        mutex.runExclusive(async () => {
          if (current === undefined || current !== left) return false
          const state = await appendTo(path, bytes, { left: current.state, fsync })
          if (state !== undefined) current.state = state
          return state !== undefined
        })
    },
    remove: () => mutex.runExclusive(() => rm(path, { force: true })),
    exists: () => mutex.runExclusive(() => stat(path).then(() => true, mayExist)),
  }
}

export interface DiskOptions {
  /** The permissions of the file, less the umask of the process. */
  readonly mode?: number
  /** Whether a write waits for the disk. Otherwise it survives a crash of the process, but not of the machine. */
  readonly fsync?: boolean
}

interface Replacement extends Required<DiskOptions> {
  readonly directory: string
  readonly path: string
  readonly bytes: Uint8Array
  readonly at: OnWriteStep
}

async function replace({ directory, path, bytes, mode, fsync, at }: Replacement): Promise<FileState> {
  const neighbour = `${path}.tmp`
  await at('before-write')
  await mkdir(directory, { recursive: true })
  const file = await open(neighbour, 'w', mode)
  const half = Math.floor(bytes.length / 2)
  let written: FileState
  try {
    await file.writeFile(bytes.subarray(0, half))
    await at('mid-write')
    await file.writeFile(bytes.subarray(half))
    if (fsync) await file.sync()
    written = await file.stat()
  } finally {
    await file.close()
  }
  await at('before-rename')
  await rename(neighbour, path)
  if (fsync) await syncDirectory(directory)
  await at('after-rename')
  return written
}

const nothing: OnWriteStep = async () => undefined

/** Makes the rename durable, best effort: not every system can sync a folder. */
async function syncDirectory(directory: string): Promise<void> {
  const folder = await open(directory, 'r').catch(() => undefined)
  if (folder === undefined) return
  await folder.sync().catch(() => undefined)
  await folder.close()
}

/** An unreadable file may exist. Without a folder there is no file. */
function mayExist({ code }: NodeJS.ErrnoException): boolean {
  return code !== 'ENOENT' && code !== 'ENOTDIR'
}

function noFile(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined
  throw error
}
