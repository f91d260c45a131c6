import { mkdirSync } from 'node:fs'
import { contentOf, type Rule } from '../../suites/model/rule.ts'
import type { PluginSettings } from '../../suites/runner/plugin/settings.ts'
import type { Shared } from '../../suites/runner/shared.ts'
import { type LeaseSettings, openLedger } from '../../suites/safety/ledger.ts'
import { createHooks } from '../../suites/targets/live/hooks.ts'
import { createLiveDriver, type LiveDriver } from '../../suites/targets/live/live-driver.ts'
import {
  createLiveServer,
  type LiveOptions,
  type LiveServer,
  type LiveState,
  liveState,
} from '../../suites/targets/live/live-server.ts'
import type { Parameters } from '../../suites/targets/live/step.ts'
import type { LifeCycle } from '../options/life-cycle-options.ts'
import type { RunOptions } from '../options/run-options.ts'

interface LiveChoice
  extends Pick<LiveOptions, 'url' | 'transport' | 'key' | 'logins' | 'ledger' | 'timeoutMs' | 'redact'> {
  readonly lifeCycle: LifeCycle
  readonly out: string
  /** Cancels questions to a person when the run is interrupted. */
  readonly signal: AbortSignal
  readonly onCancel: () => void
}

/** What the ledger must record to restore the server later. */
function leaseSettingsOf({ hooks, manual, parameters }: LifeCycle, rules: readonly Rule[]): LeaseSettings {
  const { API_Key: _key, ...others } = parameters ?? ({} as Parameters)
  return { hooks, manual, parameters: parameters === null ? null : others, order: rules.map(contentOf) }
}

/** Opens the server with its hooks or the person who drives it. */
export async function openLive(choice: LiveChoice, state: LiveState): Promise<LiveServer> {
  const { lifeCycle, out, signal, onCancel, ...server } = choice
  const { url, ledger, redact } = server
  const { parameters, manual } = lifeCycle
  mkdirSync(out, { recursive: true })
  const hooks = createHooks({
    commands: lifeCycle.hooks,
    url,
    parameters,
    limitMs: lifeCycle.hookLimitMs,
    reportFolder: out,
    redact,
    onFolder: (folder) => ledger.append({ event: 'private', folder, pid: process.pid }),
    onStart: (step, pid) => ledger.append({ event: 'hook', step, pid }),
  })
  const { createPerson } = manual ? await import('./person.ts') : { createPerson: null }
  const person = createPerson?.({ url, parameters, signal, onCancel }) ?? null
  return createLiveServer({ ...server, hooks, person, readyMs: 30_000, briefMs: 1_500 }, state)
}

interface LeaseTerms {
  readonly options: RunOptions
  readonly shared: Pick<Shared, 'redactSecrets'>
  readonly signal: AbortSignal
}

/** The driver for a leased server; null if none may be leased. The ledger gets what restores the server first. */
export async function leaseLiveServer(settings: PluginSettings, terms: LeaseTerms): Promise<LiveDriver | null> {
  const { options, signal } = terms
  const { redactSecrets: redact } = terms.shared
  const { target, safety, risk, logins, timeoutMs } = settings
  const { lifeCycle, out } = options
  const file = safety?.ledgerFile ?? null
  if (lifeCycle === null || target.temporaryKey === undefined || safety === null || file === null) return null
  if (risk !== 'exclusive') return null
  const ledger = openLedger(file, redact)
  ledger.append({ event: 'lend', ...leaseSettingsOf(lifeCycle, safety.before) })
  const { url, transport, key } = target
  // Same as Ctrl-C outside a prompt: the run stops after the check and cleans up.
  const onCancel = () => void (signal.aborted || process.emit('SIGINT'))
  const choice = { lifeCycle, url, transport, key, logins, ledger, out, timeoutMs, redact, signal, onCancel }
  const { before } = safety
  const server = await openLive(choice, liveState({ keys: [key], order: before.map(contentOf), seen: before }))
  return createLiveDriver(server, target.temporaryKey)
}
