import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import type { JudgeSettings } from '../../suites/engine/context.ts'
import { ledgerName, openLedger, readLedger } from '../../suites/safety/ledger.ts'
import type { ListState } from '../../suites/safety/list-state.ts'
import { UsageError } from '../command-error.ts'

export interface Intention {
  readonly settings: JudgeSettings
  readonly list: ListState
  readonly mostWrites: number
  /** Folder of the report. */
  readonly out: string
  /** Do not ask. */
  readonly yes: boolean
  readonly startedAt: Date
  readonly redact: (text: string) => string
}

/**
 * Says what is about to happen to a list of somebody else, asks for consent where a person can give
 * it, and opens the ledger. Returns the path of the ledger.
 *
 * @throws {UsageError} when consent is refused; nothing was written then
 */
export async function announce({
  settings,
  list,
  mostWrites,
  out,
  yes,
  startedAt,
  redact,
}: Intention): Promise<string> {
  const { target, logins, risk } = settings
  const file = join(out, ledgerName(target.url))
  process.stdout.write(
    `About to add and remove rules of the kit's own (logins ${logins.from}-${logins.to}) at ${target.url}, ` +
      `next to ${list.rules.length} rules of others; at most ${mostWrites} writes (risk ${risk}).\n`,
  )
  if (process.stdin.isTTY && process.stdout.isTTY && !yes) await askPerson()
  const ledger = openLedger(file, redact)
  ledger.append({
    event: 'open',
    schema: 'copytrade-tck/ledger@1',
    target: target.url,
    startedAt: startedAt.toISOString(),
    logins,
    before: list.rules,
  })
  ledger.close()
  return file
}

/** @throws {UsageError} when the person at the terminal says no */
export async function askPerson(): Promise<void> {
  const prompt = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await prompt.question('Go on? [y/N] ')
  prompt.close()
  if (/^y(es)?$/i.test(answer.trim())) return
  throw new UsageError('Nothing was written.', 'Answer y, or give --yes, to go on.')
}

/**
 * An earlier run that did not finish its clean-up must be finished first: its rules may still be in
 * the list.
 *
 * @throws {UsageError}
 */
export function refuseUnfinished(target: string, out: string): void {
  const file = join(out, ledgerName(target))
  const run = readLedger(file)
  if (run === null || run.closed) return
  throw new UsageError(
    `An earlier run (${run.opening.startedAt}) did not finish its clean-up at ${target}.`,
    `Finish it first: copytrade-tck restore --ledger ${file}`,
  )
}
