import { closeSync, constants, fdatasync, fstatSync, ftruncateSync, openSync, type Stats, writeSync } from 'node:fs'
import { promisify } from 'node:util'

const sync = promisify(fdatasync)

/** Shows whether a file has changed. */
export type FileState = Pick<Stats, 'ino' | 'size' | 'mtimeMs'>

/**
 * Appends bytes to a file that is still in the state `left`, and returns its new state; returns undefined and does
 * nothing if the file has changed. If writing fails, the file is truncated to its old length. Only waiting for the disk
 * is asynchronous: the other calls take microseconds, less than a thread would.
 */
export async function appendTo(
  path: string,
  bytes: Uint8Array,
  { left, fsync }: { readonly left: FileState; readonly fsync: boolean },
): Promise<FileState | undefined> {
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
