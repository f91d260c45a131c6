import { constants, existsSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { access, appendFile, mkdir, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { UsageError } from './command-error.ts'

/**
 * The text of a file that the user gave, without a byte order mark. @throws {UsageError} with its `name` and the `hint`
 * when it cannot be read
 */
export function readTextFile(path: string, { name, hint }: Readonly<Record<'name' | 'hint', string>>): string {
  try {
    return readFileSync(path, 'utf8').replace(/^\ufeff/, '')
  } catch (cause) {
    throw new UsageError(`${name} cannot be read: ${(cause as Error).message}.`, hint, { cause })
  }
}

/** Writes a file that the user named with `--out`. @throws {UsageError} if it cannot be written, or is one of `read` */
export function writeTextFile(path: string, text: string, read: readonly string[] = []): void {
  const isRead = existsSync(path) && read.some((other) => realpathSync(other) === realpathSync(path))
  if (isRead) throw new UsageError(`${path} is a file that the command reads.`, 'Choose another file with `--out`.')
  try {
    replaceFile(path, text)
  } catch (cause) {
    const message = `${path} cannot be written: ${(cause as Error).message}.`
    throw new UsageError(message, 'Choose another file with `--out`.', { cause })
  }
}

/** Writes a file. An earlier one stays until the new one is complete, since a full disk must not destroy it. */
function replaceFile(path: string, text: string): void {
  const earlier = statSync(path, { throwIfNoEntry: false })
  // There may be none, or a pipe or device such as /dev/stdout.
  if (!earlier?.isFile()) return void writeFileSync(path, text)
  const file = realpathSync(path)
  const unfinished = `${file}.${process.pid}.tmp`
  try {
    writeFileSync(unfinished, text, { mode: earlier.mode })
    renameSync(unfinished, file)
  } catch (error) {
    rmSync(unfinished, { force: true })
    if (!cannotBeReplaced.includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    writeFileSync(file, text)
  }
}

/** Such as a file that is mounted by itself, or one that may be written in a folder that may not. */
const cannotBeReplaced = ['EBUSY', 'EXDEV', 'EACCES', 'EPERM', 'EROFS']

/** Fails for a file of `--out` that exists, unless `--force` is given. @throws {UsageError} */
export function requireNew(path: string, { force }: { readonly force: boolean }): void {
  if (!existsSync(path) || force) return
  throw new UsageError(`${path} already exists.`, 'Choose another file with `--out`, or overwrite it with `--force`.')
}

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

/** The same for a folder to write to. @throws {UsageError} when it cannot be used; `name` is in the message */
export async function requireFolder(path: string, name: string): Promise<void> {
  try {
    await makeFolder(path)
    await access(path, constants.R_OK | constants.W_OK)
  } catch (cause) {
    throw new UsageError(`${name} cannot be used: ${(cause as Error).message}.`, 'Choose another folder.', { cause })
  }
}

/** Fails for a file that cannot be written, and creates its folder. An earlier file stays. @throws {UsageError} */
export async function requireWritable(path: string, name: string): Promise<void> {
  await makeFolder(dirname(path)).catch(unwritable(name))
  const isThere = existsSync(path)
  await appendFile(path, '').catch(unwritable(name))
  if (!isThere) await rm(path, { force: true })
}

/** @throws {UsageError} with the `name` of the file or folder */
export function unwritable(name: string, kind: 'file' | 'folder' = 'file'): (cause: Error) => never {
  return (cause) => {
    throw new UsageError(`${name} cannot be written: ${cause.message}.`, `Choose another ${kind}.`, { cause })
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
