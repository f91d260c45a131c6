import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import type { Transport } from '../../../suites/client/transport.ts'
import type { PluginSettings } from '../../../suites/runner/plugin/context.ts'
import { earlierLedgerName, ledgerName, openLedger, readLedger } from '../../../suites/safety/ledger.ts'
import type { ListState } from '../../../suites/safety/list-state.ts'
import { UsageError } from '../../command-error.ts'
import { restoreLine } from '../../transport/explain.ts'

export interface Intention {
  readonly settings: PluginSettings
  readonly list: ListState
  readonly mostWrites: number
  /** Whether checks of the life cycle will take the server, and how. */
  readonly lifeCycle: 'restarted' | 'emptied' | null
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
  lifeCycle,
  out,
  yes,
  startedAt,
  redact,
}: Intention): Promise<string> {
  const { target, logins, risk } = settings
  const file = join(out, ledgerName(target.url))
  process.stdout.write(
    `About to add and remove rules of the kit's own (logins ${logins.from}-${logins.to}) at ${target.url}, ` +
      `next to ${list.rules.length} rules of others; at most ${mostWrites} writes (risk ${risk}).\n${lifeCycleLine(lifeCycle)}`,
  )
  if (process.stdin.isTTY && process.stdout.isTTY && !yes) await askPerson()
  const ledger = openLedger(file, redact)
  ledger.append({
    event: 'open',
    schema: 'copytrade-tck/ledger@1',
    target: target.url,
    startedAt: startedAt.toISOString(),
    logins,
    ...(target.transport.ca === null ? {} : { ca: target.transport.ca }),
    before: list.rules,
  })
  ledger.close()
  return file
}

/** What life-cycle checks mean to those who rely on the server. */
function lifeCycleLine(lifeCycle: Intention['lifeCycle']): string {
  if (lifeCycle === null) return ''
  const restarts = 'The server will be restarted again and again.\n'
  if (lifeCycle === 'restarted') return restarts
  return `${restarts}Meanwhile the rules of others are out of its list and nothing is copied; then they are added again in their order, and the parameters set as before.\n`
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
export function refuseUnfinished(target: string, transport: Transport, out: string): void {
  for (const name of [ledgerName(target), earlierLedgerName(target)]) {
    const file = join(out, name)
    const run = readLedger(file)
    if (run === null || !run.unfinished || run.opening.target !== target) continue
    throw new UsageError(
      `An earlier run (${run.opening.startedAt}) did not finish its clean-up at ${target}.`,
      `Finish it first: ${restoreLine(file, transport)}`,
    )
  }
}
