import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, writeFileSync } from 'node:fs'
import { readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type RulesFile, rulesFileName } from './rules-file.ts'
import { takingTurns } from './turns.ts'

/**
 * The rules file in the folder `directory`, which is made when the first bytes are written.
 *
 * The new bytes go to a neighbour file and reach the disk before they take the name of the rules
 * file, so a process that is killed at any moment leaves the old file or the new one. The
 * neighbour always has the same name: whatever an earlier death left there is written over.
 */
export function diskRulesFile(directory: string): RulesFile {
  const path = join(directory, rulesFileName)
  const turns = takingTurns()
  return {
    read: () => turns.take(() => readFile(path).catch(noFile)),
    write: (bytes) => turns.take(async () => replace({ directory, path, bytes })),
    remove: () => turns.take(() => rm(path, { force: true })),
    exists: () => turns.take(() => stat(path).then(() => true, mayExist)),
  }
}

/**
 * Eight short calls in a row, without a trip to the thread pool between them: on a local disk the
 * trips take longer than the calls, and every change waits for them.
 */
function replace({ directory, path, bytes }: { directory: string; path: string; bytes: Uint8Array }): void {
  const neighbour = `${path}.tmp`
  const file = openIn(directory, neighbour)
  try {
    writeFileSync(file, bytes)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(neighbour, path)
  syncDirectory(directory)
}

/** Opens a new file; its folder is made where it is missing. */
function openIn(directory: string, path: string): number {
  try {
    return openSync(path, 'w')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    mkdirSync(directory, { recursive: true })
    return openSync(path, 'w')
  }
}

/** Makes the new name durable. Best effort: not every system can sync a folder. */
function syncDirectory(directory: string): void {
  try {
    const folder = openSync(directory, 'r')
    try {
      fsyncSync(folder)
    } finally {
      closeSync(folder)
    }
  } catch {
    // The rename itself has succeeded; a killed process loses nothing.
  }
}

/** What cannot be looked at may be there; without a folder there is nothing. */
function mayExist({ code }: NodeJS.ErrnoException): boolean {
  return code !== 'ENOENT' && code !== 'ENOTDIR'
}

function noFile(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined
  throw error
}
