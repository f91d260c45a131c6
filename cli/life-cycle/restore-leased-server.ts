import type { Transport } from '../../suites/client/transport.ts'
import { type Pace, waitUntil } from '../../suites/client/wait.ts'
import type { LeasedServer, Ledger, RecordedRun } from '../../suites/safety/ledger.ts'
import { isAlive } from '../../suites/safety/process-alive.ts'
import { liveState } from '../../suites/targets/live/live-state.ts'
import { type RestoredServer, restoreServer } from '../../suites/targets/live/restore-server.ts'
import type { Parameters } from '../../suites/targets/live/step.ts'
import { UsageError } from '../command-error.ts'
import { hooksIn, type LifeCycle, readCurrentParameters, requireTerminal } from '../options/life-cycle-options.ts'
import { defaultHookLimitMs, type RunFlags } from '../options/run-definitions.ts'
import { openLive } from './open-live.ts'

/** How the clean-up of an interrupted run reaches its server. */
export interface Connection {
  readonly key: string
  readonly transport: Transport
  readonly pace: Pace
  readonly redact: (text: string) => string
  readonly ledger: Ledger
}

/** Null if the interrupted run had leased no server. Hooks of the flags replace its own. @throws {UsageError} */
export async function restoreLeasedServer(
  { leased, opening }: RecordedRun,
  flags: Partial<RunFlags> & Pick<RunFlags, 'timeout'>,
  connection: Connection,
): Promise<RestoredServer | null> {
  if (leased === null) return null
  const { key } = connection
  const lifeCycle = lifeCycleOf(leased, flags, key)
  requireTerminal(lifeCycle)
  await awaitHook(leased, lifeCycle)
  const { target: url, logins } = opening
  const choice = {
    ...{ ...connection, lifeCycle, url, logins },
    timeoutMs: flags.timeout,
    signal: new AbortController().signal,
  }
  const { order, removed, configured } = leased
  // Requests find out whether the server runs, and with which key.
  const unknown = { desired: null, answering: false }
  return restoreServer(await openLive(choice, liveState({ keys: [key], order, removed, configured, ...unknown })))
}

/** A hook may outlive the run that started it; two hooks at once would conflict. */
async function awaitHook({ hookPid }: LeasedServer, { hookLimitMs }: LifeCycle): Promise<void> {
  if (hookPid === null || !isAlive(hookPid)) return
  const limit = `${hookLimitMs / 1_000} s (\`--hook-timeout\`)`
  process.stderr.write(`Waiting for the last hook of the run (process ${hookPid}), for at most ${limit}.\n`)
  await waitUntil(() => !isAlive(hookPid), { timeoutMs: hookLimitMs, intervalMs: 50 })
}

function lifeCycleOf(leased: LeasedServer, flags: Partial<RunFlags>, key: string): LifeCycle {
  const hooks = { ...leased.hooks, ...hooksIn(flags) }
  for (const [step, command] of Object.entries(hooks)) {
    if (isRedacted(command)) {
      throw new UsageError(
        `The command of \`--hook-${step}\` contains the key, so the ledger holds it redacted.`,
        `Give \`--hook-${step}\` again.`,
      )
    }
  }
  return {
    hooks,
    manual: leased.manual || flags.manual === true,
    parameters: parametersOf(leased, flags, key),
    hookLimitMs: flags.hookTimeout ?? defaultHookLimitMs,
  }
}

function parametersOf({ parameters }: LeasedServer, flags: Partial<RunFlags>, key: string): Parameters | null {
  if (flags.parameters !== undefined) return readCurrentParameters(flags.parameters, key)
  if (parameters === null) return null
  if (!Object.values(parameters).some(isRedacted)) return { ...parameters, API_Key: key }
  throw new UsageError(
    'A parameter contains the key, so the ledger holds the parameters redacted.',
    'Give `--parameters <file>` again.',
  )
}

function isRedacted(text: string | undefined): boolean {
  return text?.includes('[redacted]') === true || text?.includes('[wrong key') === true
}
