import type { Harm } from '../../../reports/report.ts'
import { patient } from '../../../suites/client/rate-limit.ts'
import { NoResponse } from '../../../suites/client/response.ts'
import { describeRule, isSameList } from '../../../suites/model/rule.ts'
import { cleanUpAfterCheck } from '../../../suites/runner/plugin/clean-up-after-check.ts'
import type { PluginContext } from '../../../suites/runner/plugin/context.ts'
import type { Shared } from '../../../suites/runner/shared.ts'
import { restoreList } from '../../../suites/safety/clean-up.ts'
import { explainRun } from '../../../suites/safety/explain-run.ts'
import { openLedger, type RecordedRun, readLedger } from '../../../suites/safety/ledger.ts'
import { differences, type ListState, listState } from '../../../suites/safety/list-state.ts'
import { ownByRecord } from '../../../suites/safety/ownership.ts'
import type { LiveDriver } from '../../../suites/targets/live/live-driver.ts'
import {
  leaseLines,
  leavesServerChanged,
  leftReason,
  lossLines,
  orderLines,
  waitingLine,
} from '../../life-cycle/clean-up-lines.ts'
import type { RunOptions } from '../../options/run-options.ts'
import { restoreLine } from '../../transport/explain.ts'

interface CleanUpOptions extends Pick<RunOptions, 'cleanupTimeoutMs'>, Pick<Shared, 'redactSecrets'> {
  /** Drives the life cycle of a leased server; null if the server was not leased. */
  readonly live: LiveDriver | null
}

/** Restores a leased server, removes the rules of the kit, and compares the list with the one before. */
export async function verifyList(context: PluginContext, ...list: VerifiedList): Promise<Harm> {
  const harm = await verify(context, ...list)
  // A rule of the server may repeat the key.
  const redacted = (lines: readonly string[]) => lines.map(context.redact)
  return { ...harm, differences: redacted(harm.differences), interference: redacted(harm.interference) }
}

type VerifiedList = [before: ListState, ledgerFile: string | null, options: CleanUpOptions]

async function verify(context: PluginContext, ...[before, ledgerFile, options]: VerifiedList): Promise<Harm> {
  try {
    if (context.owned) return await verifyOwned(context, before)
    return await verifyForeign(context, before, ledgerFile, options)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const left = seen(before, null)
    const unreachable = error instanceof NoResponse
    const run = ledgerFile === null ? null : readLedger(ledgerFile)
    // Without a write there is nothing to restore, whatever happened to the target.
    if (ledgerFile === null || !run?.unfinished) return { ...left, unreachable, restored: true, differences: [] }
    const advice = `finish the clean-up when that is fixed: ${restoreLine(ledgerFile, context.settings.target.transport)}`
    const leased = leaseLines(run)
    const isChanged = leased.length > 0 || leavesServerChanged(error)
    const what = isChanged ? 'the server could not be restored' : 'the list could not be read after the run'
    const remaining = unreachable ? [] : await leftBehind(context, run)
    const differences = [...`${what}: ${reason}`.split('\n'), ...remaining, ...leased, advice]
    return { ...left, unreachable: unreachable && !isChanged, restored: false, differences }
  }
}

/** The rules of a run that are still listed, one line each; none if the list cannot be read. */
async function leftBehind(context: PluginContext, run: RecordedRun): Promise<readonly string[]> {
  const list = await context.main.rules.read().catch(() => [])
  return list.filter(ownByRecord(run)).map((rule) => `left behind: ${describeRule(rule)}`)
}

async function verifyOwned(context: PluginContext, before: ListState): Promise<Harm> {
  context.before = before.rules
  context.filler.length = 0
  await cleanUpAfterCheck(context)
  const after = listState(await context.main.rules.read())
  return {
    ...seen(before, after),
    restored: before.hash === after.hash,
    differences: differences(before.rules, after.rules),
  }
}

async function verifyForeign(
  context: PluginContext,
  before: ListState,
  file: string | null,
  { live, cleanupTimeoutMs, redactSecrets }: CleanUpOptions,
): Promise<Harm> {
  const returned = await live?.restoreServer()
  const { target } = context.settings
  const ledger = file === null ? null : openLedger(file, redactSecrets)
  const recorded = () => (file === null ? null : readLedger(file))
  // Without a ledger nothing was written, so the list is only read.
  const restored = await restoreList({
    client: patient(context.access(target.url, target.key).client),
    key: target.key,
    isOwn: ownByRecord(recorded()),
    ledger,
    timeoutMs: cleanupTimeoutMs,
    onWait: () => process.stderr.write(waitingLine(cleanupTimeoutMs, 'run')),
  })
  const { list, left, edits } = restored
  const reason = leftReason(restored)
  if (left.length + (returned?.lost.length ?? 0) === 0) ledger?.append({ event: 'closed' })
  ledger?.close()
  const explanation = explainRun(recorded(), before.rules, restored, returned?.reordered !== true)
  const command = file === null ? null : restoreLine(file, target.transport)
  return {
    ...seen(before, isSameList(list, before.rules) ? before : listState(list)),
    restored: explanation.isAsBefore,
    differences: [
      ...(reason === null ? [] : [reason]),
      ...left.map((rule) => `left behind: ${describeRule(rule)}`),
      ...lossLines(explanation, command),
      ...orderLines(explanation),
      ...(left.length > 0 && command !== null ? [`finish the clean-up: ${command}`] : []),
    ],
    interference: [...explanation.byOthers, ...edits],
  }
}

/** @param after null if the list could not be read */
function seen(before: ListState, after: ListState | null) {
  return {
    rulesBefore: before.rules.length,
    rulesAfter: after?.rules.length ?? null,
    hashBefore: before.hash,
    hashAfter: after?.hash ?? null,
    unreachable: false,
    interference: [],
  }
}
