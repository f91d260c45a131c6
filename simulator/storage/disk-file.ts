import { closeSync, constants, fdatasync, fstatSync, ftruncateSync, openSync, type Stats, writeSync } from 'node:fs'
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Mutex } from 'async-mutex'
import type { OnWriteStep, StoredFile } from './stored-file.ts'

/**
 * The file `name` in `folder`, which is created at the first write. New bytes are written to a temporary
 * file and synced before it is renamed, so a process that is killed at any moment leaves the old file or the new one.
 * The temporary file always has the same name, so that the next write replaces one that a killed process left behind.
 */
export function diskFile(folder: string, name: string, { mode = 0o666, fsync = true }: DiskOptions = {}): StoredFile {
  const path = join(folder, name)
  const mutex = new Mutex()
  /** The state of the file after the last write of this object. */
  let left: { state: FileState } | undefined

  async function replace(bytes: Uint8Array, at?: OnWriteStep): Promise<FileState> {
    const neighbour = `${path}.tmp`
    await at?.('before-write')
    await mkdir(folder, { recursive: true })
    const file = await open(neighbour, 'w', mode)
    const half = Math.floor(bytes.length / 2)
    let written: FileState
    try {
      await file.writeFile(bytes.subarray(0, half))
      await at?.('mid-write')
      await file.writeFile(bytes.subarray(half))
      if (fsync) await file.sync()
      written = await file.stat()
    } finally {
      await file.close()
    }
    await at?.('before-rename')
    await rename(neighbour, path)
    if (fsync) await syncFolder(folder)
    await at?.('after-rename')
    return written
  }

  return {
    read: () => mutex.runExclusive(() => readFile(path).catch(noFile)),
    write: (bytes, at) =>
      mutex.runExclusive(async () => {
        left = undefined
        left = { state: await replace(bytes, at) }
      }),
    appender: () => {
      const current = left
      return (bytes) =>
        mutex.runExclusive(async () => {
          if (current === undefined || current !== left) return false
          const state = await appendTo(path, bytes, current.state, fsync)
          if (state !== undefined) current.state = state
          return state !== undefined
        })
    },
    remove: () => mutex.runExclusive(() => rm(path, { force: true })),
    exists: () => mutex.runExclusive(() => stat(path).then(() => true, mayExist)),
  }
}

interface DiskOptions {
  /** The permissions of the file, less the umask of the process. */
  readonly mode?: number
  /** Whether a write waits for the disk. Otherwise it survives a crash of the process, but not of the machine. */
  readonly fsync?: boolean
}

/** Makes the rename durable, best effort: not every system can sync a folder. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined)
  await handle?.sync().catch(() => undefined)
  await handle?.close()
}

/** An unreadable file may exist. Without a folder there is no file. */
function mayExist({ code }: NodeJS.ErrnoException): boolean {
  return code !== 'ENOENT' && code !== 'ENOTDIR'
}

function noFile(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined
  throw error
}

const sync = promisify(fdatasync)

type FileState = Pick<Stats, 'ino' | 'size' | 'mtimeMs'>

/**
 * Appends bytes to a file that is still in the state `left`, and returns its new state; returns undefined and does
 * nothing if the file has changed. If writing fails, the file is truncated to its old length. Only waiting for the disk
 * is asynchronous: the other calls take microseconds, less than a thread would.
 */
async function appendTo(path: string, bytes: Uint8Array, left: FileState, fsync: boolean) {
  const file = openToAppend(path)
  if (file === undefined) return undefined
  try {
    if (!isSame(fstatSync(file), left)) return undefined
    try {
      // A short write happens only if the disk is full, and then the next one fails.
      for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written)
      if (fsync) await sync(file)
    } catch (error) {
      ftruncateSync(file, left.size)
      throw error
    }
    return fstatSync(file)
  } finally {
    closeSync(file)
  }
}

/** Undefined if there is no file. */
function openToAppend(path: string): number | undefined {
  try {
    return openSync(path, constants.O_WRONLY | constants.O_APPEND)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function isSame(one: FileState, other: FileState): boolean {
  return one.ino === other.ino && one.size === other.size && one.mtimeMs === other.mtimeMs
}
