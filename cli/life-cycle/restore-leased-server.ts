import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Transport } from '../../suites/client/transport.ts'
import type { LeasedServer, Ledger, RecordedRun } from '../../suites/safety/ledger.ts'
import type { LiveState } from '../../suites/targets/live/live-server.ts'
import { type RestoredServer, restoreServer } from '../../suites/targets/live/restore-server.ts'
import type { Parameters } from '../../suites/targets/live/step.ts'
import { UsageError } from '../command-error.ts'
import {
  hooksIn,
  type LifeCycle,
  type LifeCycleFlags,
  readParameters,
  requireTerminal,
} from '../options/life-cycle-options.ts'
import { openLive } from './open-live.ts'

interface Interrupted {
  readonly run: RecordedRun
  readonly key: string
  readonly transport: Transport
  readonly flags: LifeCycleFlags & { readonly timeout: number; readonly ledger: string }
  readonly ledger: Ledger
  readonly redact: (text: string) => string
}

/**
 * Gives a server back whose life cycle an interrupted run was driving, with the hooks that the
 * ledger names or those given anew. Null where there is nothing to give back.
 *
 * @throws {UsageError} where something is missing that the ledger could not keep
 */
export async function restoreLeasedServer({
  run,
  key,
  transport,
  flags,
  ledger,
  redact,
}: Interrupted): Promise<RestoredServer | null> {
  const { lent, opening } = run
  if (lent === null) return null
  const lifeCycle = lifeCycleOf(lent, flags, key)
  requireTerminal(lifeCycle)
  await lastHookEnded(lent, lifeCycle.hookLimitMs)
  const { target: url, logins } = opening
  const { signal } = new AbortController()
  const common = {
    url,
    transport,
    key,
    logins,
    ledger,
    timeoutMs: flags.timeout,
    redact,
    signal,
    onCancel: () => undefined,
  }
  const server = await openLive({ ...common, lifeCycle, out: dirname(flags.ledger) }, stateAfter(lent, key))
  return restoreServer(server)
}

/** Whether it runs, and with which key, shows when it is asked. */
function stateAfter({ order, held, configured }: LeasedServer, key: string): LiveState {
  return { desired: null, keys: [key], running: true, answering: false, configured, order, held, touched: true }
}

function lifeCycleOf(lent: LeasedServer, flags: LifeCycleFlags, key: string): LifeCycle {
  const hooks = { ...lent.hooks, ...hooksIn(flags) }
  for (const [step, command] of Object.entries(hooks)) {
    if (isRedacted(command)) {
      throw new UsageError(
        `The command of --hook-${step} held the key, so the ledger does not hold it whole.`,
        `Give --hook-${step} again.`,
      )
    }
  }
  return {
    hooks,
    manual: lent.manual || flags.manual === true,
    parameters: parametersOf(lent, flags, key),
    hookLimitMs: flags.hookTimeout ?? 60_000,
  }
}

function parametersOf({ parameters }: LeasedServer, flags: LifeCycleFlags, key: string): Parameters | null {
  if (flags.parameters !== undefined) return readParameters(flags.parameters, key)
  if (parameters === null) return null
  if (!Object.values(parameters).some(isRedacted)) return { ...parameters, API_Key: key }
  throw new UsageError(
    'A parameter held the key, so the ledger does not hold the parameters whole.',
    'Give --parameters <file> again.',
  )
}

function isRedacted(text: string | undefined): boolean {
  return text?.includes('[redacted]') === true || text?.includes('[wrong key]') === true
}

/** A hook outlives the run that was killed, and two hooks at once would get into each other's way. */
async function lastHookEnded({ hookPid }: LeasedServer, limitMs: number): Promise<void> {
  const deadline = Date.now() + limitMs
  while (hookPid !== null && isRunning(hookPid) && Date.now() < deadline) await delay(50)
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
