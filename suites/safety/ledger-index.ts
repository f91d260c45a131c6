import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { type RecordedRun, readLedger } from './ledger.ts'
import { isAlive } from './process-alive.ts'

/** The folder with links to this user's ledgers, so that a run in another folder finds an unfinished one. */
function indexFolder(): string {
  return join(process.env.XDG_STATE_HOME || join(homedir(), '.local/state'), 'copytrade-tck', 'ledgers')
}

/**
 * Registers the ledger of a target for this process, if there is a home folder, and returns a function that removes that
 * note. Each process has its own note, and writes it before it reads the others: of two runs that begin at the same
 * time, at least one finds the other.
 */
export function noteLedger(file: string): () => void {
  const note = join(indexFolder(), `${basename(file)}.${process.pid}`)
  try {
    mkdirSync(indexFolder(), { recursive: true, mode: 0o700 })
    writeFileSync(note, resolve(file), { mode: 0o600 })
  } catch {
    // Optional: the run and `restore --ledger` work without a home folder.
  }
  return () => rmSync(note, { force: true })
}

/** A registered run of a process. */
interface NotedRun {
  /** The file name of its ledger, which stands for its target. */
  readonly name: string
  readonly file: string
  readonly pid: number
  /** Null if it has not opened its ledger yet. */
  readonly run: RecordedRun | null
}

/** A note, or the folder of all notes, that this account cannot read. */
interface Unreadable {
  readonly path: string
  /** The file name of the ledger; null for the folder, which may have notes of any target. */
  readonly name: string | null
}

/**
 * The registered runs that did not finish their clean-up, or may still send a write, and what cannot be read. Removes
 * the notes of ended processes that need no clean-up.
 */
export function unfinishedRuns() {
  const runs: NotedRun[] = []
  const unreadable: Unreadable[] = []
  for (const note of notes(unreadable)) {
    const [, name = '', pid] = /^(.*)\.(\d+)$/.exec(basename(note)) ?? []
    try {
      const file = readFileSync(note, 'utf8')
      const noted = { name, file, pid: Number(pid), run: readLedger(file) }
      const isRunning = isAlive(noted.pid)
      if (noted.run?.unfinished || (isRunning && !noted.run?.closed)) runs.push(noted)
      else if (!isRunning) rmSync(note, { force: true })
    } catch (error) {
      // Its process may just have removed it.
      if (!isMissing(error)) unreadable.push({ path: note, name })
    }
  }
  return { runs, unreadable }
}

function notes(unreadable: Unreadable[]): readonly string[] {
  const folder = indexFolder()
  try {
    return readdirSync(folder).map((name) => join(folder, name))
  } catch (error) {
    if (!isMissing(error)) unreadable.push({ path: folder, name: null })
    return []
  }
}

function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')
}
