import type { PluginSettings } from '../../suites/runner/plugin/settings.ts'
import { openLedger } from '../../suites/safety/ledger.ts'
import { createLiveDriver, type LiveDriver } from '../../suites/targets/live/live-driver.ts'
import type { RunOptions } from '../options/run-options.ts'
import { leaseTermsOf, openLive, stateBefore } from './open-live.ts'

interface LeaseOptions {
  readonly settings: PluginSettings
  readonly options: RunOptions
  readonly signal: AbortSignal
  readonly redact: (text: string) => string
}

/**
 * The driver for a server that the kit did not start; null where its life cycle must not be driven.
 * The ledger holds what is needed to restore the server before the first step.
 */
export async function leaseLiveServer({ settings, options, signal, redact }: LeaseOptions): Promise<LiveDriver | null> {
  const { target, safety, risk, logins, timeoutMs } = settings
  const { lifeCycle, out } = options
  const file = safety?.ledgerFile ?? null
  if (lifeCycle === null || target.temporaryKey === undefined || safety === null || file === null) return null
  if (risk !== 'exclusive') return null
  const ledger = openLedger(file, redact)
  ledger.append({ event: 'lend', ...leaseTermsOf(lifeCycle, safety.before) })
  const { url, transport, key } = target
  // Like Ctrl-C outside a question: the run stops after the check and cleans up.
  const onCancel = () => void (signal.aborted || process.emit('SIGINT'))
  const choice = { lifeCycle, url, transport, key, logins, ledger, out, timeoutMs, redact, signal, onCancel }
  const server = await openLive(choice, stateBefore(safety.before, key))
  return createLiveDriver(server, target.temporaryKey)
}
