import { join } from 'node:path'
import { plural } from '../../../reports/phrases.ts'
import type { Transport } from '../../../suites/client/transport.ts'
import type { PluginSettings } from '../../../suites/runner/plugin/context.ts'
import { earlierLedgerName, ledgerName, openLedger, readLedger } from '../../../suites/safety/ledger.ts'
import type { ListState } from '../../../suites/safety/list-state.ts'
import { UsageError } from '../../command-error.ts'
import { restoreLine } from '../../transport/explain.ts'
import { requireConsent } from '../ask-consent.ts'
import type { LifeCycleUse } from './life-cycle.ts'

export interface PlannedWrites {
  readonly settings: PluginSettings
  readonly list: ListState
  readonly mostWrites: number
  /** What life-cycle checks do to the server; null for no such check. */
  readonly lifeCycle: LifeCycleUse
  /** Folder of the report. */
  readonly out: string
  /** Do not ask. */
  readonly yes: boolean
  readonly startedAt: Date
  /** Cancels the question. */
  readonly signal: AbortSignal
  readonly redact: (text: string) => string
}

/**
 * Announces the changes to a foreign list, asks for consent at a terminal, and opens the ledger.
 * Returns the path of the ledger.
 *
 * @throws {UsageError} without consent; nothing was written then
 */
export async function announceWrites(planned: PlannedWrites): Promise<string> {
  const { settings, list, mostWrites, lifeCycle, out, yes, startedAt, signal, redact } = planned
  const { target, logins, risk } = settings
  const file = join(out, ledgerName(target.url))
  process.stdout.write(
    `The run adds and removes its own rules (logins ${logins.from}-${logins.to}) at ${target.url}, ` +
      `which has ${plural(list.rules.length, 'rule')}; at most ${plural(mostWrites, 'write')} (risk ${risk}).\n${lifeCycleLine(lifeCycle)}`,
  )
  if (process.stdin.isTTY && process.stdout.isTTY && !yes) await requireConsent(signal)
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

/** What life-cycle checks do to the server and to its rules. */
function lifeCycleLine(lifeCycle: PlannedWrites['lifeCycle']): string {
  if (lifeCycle === null) return ''
  const restarts = 'The server is restarted several times.\n'
  if (lifeCycle === 'restarted') return restarts
  return `${restarts}Existing rules are removed during the run and restored after it, in their order and with the parameters. Nothing is copied meanwhile.\n`
}

/**
 * An earlier run that did not finish its clean-up must be finished first: its rules may still be in
 * the list.
 *
 * @throws {UsageError}
 */
export function rejectUnfinished(target: string, transport: Transport, out: string): void {
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
