import { join } from 'node:path'
import { formatEstimate, plural } from '../../../reports/phrases.ts'
import type { Transport } from '../../../suites/client/transport.ts'
import type { PluginSettings } from '../../../suites/runner/plugin/settings.ts'
import { ledgerName, openLedger, readLedger } from '../../../suites/safety/ledger.ts'
import { noteLedger, unfinishedRuns } from '../../../suites/safety/ledger-index.ts'
import type { ListState } from '../../../suites/safety/list-state.ts'
import { isAlive } from '../../../suites/safety/process-alive.ts'
import { UsageError } from '../../command-error.ts'
import type { RunOptions } from '../../options/run-options.ts'
import { restoreLine } from '../../transport/explain.ts'
import type { SessionOptions, WriteEstimate } from '../api.ts'
import { announceAndAsk } from '../notice.ts'
import { type lifeCycleOf, writesOfFilledRule } from './estimates.ts'
import { roomOfSimulator } from './simulate.ts'

export interface PlannedWrites {
  readonly settings: PluginSettings
  readonly list: ListState
  /** The names of members of its rules that the kit cannot restore. */
  readonly further: readonly string[]
  readonly writes: WriteEstimate
  readonly fills: boolean
  readonly lifeCycle: Awaited<ReturnType<typeof lifeCycleOf>>
  readonly terms: SessionOptions
}

/** Announces the changes, asks for consent, and opens the ledger, whose path is returned. @throws {UsageError} */
export async function announceWrites(planned: PlannedWrites): Promise<string> {
  const { settings, list, further, lifeCycle, terms } = planned
  const { options, shared, startedAt } = terms
  const { target, logins } = settings
  const file = join(options.out, ledgerName(target.url))
  const lines = [
    `The run adds and removes its own rules (logins ${logins.from}-${logins.to}) at ${target.url}, which has ${plural(list.rules.length, 'rule')}.`,
    writesLine(planned),
    ...fillLines(planned),
    ...lifeCycleLines(lifeCycle),
  ]
  await announceAndAsk(`${lines.join('\n')}\n`, terms)
  const forget = noteLedger(file)
  try {
    // Since the first look, another run may have begun: a question can wait for minutes.
    rejectUnfinished(target.url, target.transport, options)
  } catch (error) {
    forget()
    throw error
  }
  const ledger = openLedger(file, shared.redactSecrets)
  ledger.append({
    event: 'open',
    schema: 'copytrade-tck/ledger@1',
    target: target.url,
    startedAt: startedAt.toISOString(),
    logins,
    ...(target.transport.ca === null ? {} : { ca: target.transport.ca }),
    further,
    before: list.rules,
  })
  ledger.close()
  terms.signal.addEventListener('abort', () => process.once('exit', (code) => printRestore(code, file, target)))
  return file
}

/** After a second Ctrl-C. A run that ends otherwise has finished the clean-up, or said how to. */
function printRestore(code: number, file: string, { transport }: PluginSettings['target']): void {
  if (code !== 130 || !readLedger(file)?.unfinished) return
  process.stderr.write(`Finish the clean-up: ${restoreLine(file, transport)}\n`)
}

function writesLine({ settings: { risk }, writes: { usual, most } }: PlannedWrites): string {
  if (usual === null) return `It sends at most ${plural(most, 'write')} (risk ${risk}).`
  return `It sends about ${plural(usual, 'write')}, and stops before it sends more than ${most} (risk ${risk}).`
}

/** What the risk `exclusive` does beyond `write`. */
function fillLines({ settings, fills, list, writes }: PlannedWrites): readonly string[] {
  const { risk, maxFill, target } = settings
  if (risk !== 'exclusive') return []
  const room = target.capacity === null ? maxFill : Math.min(maxFill, target.capacity - list.rules.length + 1)
  const fill = `It fills the list until a rule is rejected, with up to ${plural(room, 'rule')} of its own (\`--max-fill\`), and removes them again. Meanwhile other clients cannot add rules.`
  const more = ` Each rule beyond ${roomOfSimulator} adds up to ${writesOfFilledRule} writes to those above.`
  return [
    ...(fills ? [writes.usual === null ? fill : `${fill}${more}`] : []),
    'It may send malformed HTTP and very large requests. They can stop a faulty server, or make it remove existing rules.',
  ]
}

function lifeCycleLines(lifeCycle: PlannedWrites['lifeCycle']): readonly string[] {
  if (lifeCycle === null) return []
  const { restarts, empties } = lifeCycle
  const times = plural(restarts, 'time')
  const removed =
    'Existing rules are removed during the run and restored after it, in their order and with the parameters. Nothing is copied meanwhile.'
  return [
    `The server is restarted up to ${times}: with 5 s for a restart that takes ${formatEstimate(restarts * 5_000)}.`,
    ...(empties ? [removed] : []),
  ]
}

/** Rules of an earlier run may still be in the list. It may have used another folder. @throws {UsageError} */
export function rejectUnfinished(
  target: string,
  transport: Transport,
  { out, risk }: Pick<RunOptions, 'out' | 'risk'>,
): void {
  const { runs, unreadable } = unfinishedRuns()
  const name = ledgerName(target)
  const noted = runs.filter((one) => one.name === name)
  const running = noted.find(({ pid }) => pid !== process.pid && isAlive(pid))
  if (running !== undefined) {
    const error = anotherRun(running, target, transport)
    if (risk === 'read') return void process.stderr.write(`${error.message}\n`)
    throw error
  }
  const hidden = unreadable.find((one) => one.name === name || (one.name === null && risk !== 'read'))
  if (hidden !== undefined) {
    throw new UsageError(
      `${hidden.path} cannot be read, so an unfinished run at ${target} could be overlooked.`,
      'Use the account that wrote it, for example with `sudo`. If no run of it is unfinished, remove it.',
    )
  }
  for (const file of [join(out, name), ...noted.map((one) => one.file)]) {
    const run = readLedger(file)
    if (run === null || !run.unfinished || run.opening.target !== target) continue
    throw new UsageError(
      `An earlier run (${run.opening.startedAt}) did not finish its clean-up at ${target}.`,
      `Finish it first: ${restoreLine(file, transport)}`,
    )
  }
}

function anotherRun({ pid, file }: { readonly pid: number; readonly file: string }, target: string, via: Transport) {
  return new UsageError(
    `Another run (process ${pid}) changes the rules at ${target}.`,
    `Wait until it has ended. If that process is not a run: ${restoreLine(file, via)}`,
  )
}
