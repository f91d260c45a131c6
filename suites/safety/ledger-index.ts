import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { readLedger } from './ledger.ts'
import { isAlive } from './process-alive.ts'

/** The folder with links to this user's ledgers, so that a run in another folder finds an unfinished one. */
function indexFolder(): string {
  return join(process.env.XDG_STATE_HOME || join(homedir(), '.local/state'), 'copytrade-tck', 'ledgers')
}

/** Registers the ledger of a target, if there is a home folder. */
export function noteLedger(file: string): void {
  try {
    mkdirSync(indexFolder(), { recursive: true, mode: 0o700 })
    writeFileSync(join(indexFolder(), basename(file)), `${process.pid} ${resolve(file)}`, { mode: 0o600 })
  } catch {
    // Optional: the run and `restore --ledger` work without it.
  }
}

/**
 * The registered runs that did not finish their clean-up, or may still send a write, with their processes. Removes those
 * of ended processes that need no clean-up.
 */
export function unfinishedRuns() {
  try {
    return readdirSync(indexFolder()).flatMap((name) => {
      const note = join(indexFolder(), name)
      const [, pid, file = ''] = /^(\d+) (.*)$/s.exec(readFileSync(note, 'utf8')) ?? []
      const run = readLedger(file)
      const isRunning = isAlive(Number(pid))
      if (run !== null && (run.unfinished || (isRunning && !run.closed))) return [{ file, pid: Number(pid), run }]
      if (!isRunning) rmSync(note, { force: true })
      return []
    })
  } catch {
    return []
  }
}
