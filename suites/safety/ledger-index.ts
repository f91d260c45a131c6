import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { readLedger } from './ledger.ts'
import { isAlive } from './process-alive.ts'

/** The folder with links to this user's ledgers, so that a run in another folder finds an unfinished one. */
function indexFolder(): string {
  return join(process.env.XDG_STATE_HOME || join(homedir(), '.local/state'), 'copytrade-tck', 'ledgers')
}

/**
 * Registers the ledger of a target for this process, before it is opened, if there is a home folder. Returns the process
 * that has registered another one for the target and has not closed it; null if there is none.
 */
export function noteLedger(file: string): number | null {
  const note = join(indexFolder(), basename(file))
  try {
    mkdirSync(indexFolder(), { recursive: true, mode: 0o700 })
    const earlier = existsSync(note) ? readNote(note) : null
    if (earlier !== null && earlier.pid !== process.pid && isAlive(earlier.pid) && !earlier.run?.closed)
      return earlier.pid
    rmSync(note, { force: true })
    writeFileSync(note, `${process.pid} ${resolve(file)}`, { mode: 0o600, flag: 'wx' })
    return null
  } catch (error) {
    // Optional: the run and `restore --ledger` work without a home folder.
    return (error as NodeJS.ErrnoException).code === 'EEXIST' ? readNote(note).pid : null
  }
}

function readNote(note: string) {
  const [, pid, file = ''] = /^(\d+) (.*)$/s.exec(readFileSync(note, 'utf8')) ?? []
  return { file, pid: Number(pid), run: readLedger(file) }
}

/**
 * The registered runs that did not finish their clean-up, or may still send a write, with their processes. Removes those
 * of ended processes that need no clean-up.
 */
export function unfinishedRuns() {
  try {
    return readdirSync(indexFolder()).flatMap((name) => {
      const note = join(indexFolder(), name)
      const { file, pid, run } = readNote(note)
      const isRunning = isAlive(pid)
      if (run !== null && (run.unfinished || (isRunning && !run.closed))) return [{ file, pid, run }]
      if (!isRunning) rmSync(note, { force: true })
      return []
    })
  } catch {
    return []
  }
}
