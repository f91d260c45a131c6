import { contentOf } from '../../suites/model/rule.ts'
import type { PluginSettings } from '../../suites/runner/plugin/settings.ts'
import { openLedger } from '../../suites/safety/ledger.ts'
import { createHooks } from '../../suites/targets/live/hooks.ts'
import { createLiveDriver, type LiveDriver } from '../../suites/targets/live/live-driver.ts'
import { createLiveServer, type LiveServer } from '../../suites/targets/live/live-server.ts'
import { type LiveOptions, type LiveState, liveState } from '../../suites/targets/live/live-state.ts'
import type { Parameters } from '../../suites/targets/live/step.ts'
import type { LifeCycle } from '../options/life-cycle-options.ts'
import type { PersonOptions } from './person.ts'

export interface LiveChoice
  extends PersonOptions,
    Pick<LiveOptions, 'transport' | 'pace' | 'key' | 'logins' | 'ledger' | 'timeoutMs' | 'redact'> {}

/** A short limit for hooks, which may end before the server answers, is none for its start. */
const minReadyMs = 30_000

/** Opens the server with its hooks or the person who drives it. */
export async function openLive(choice: LiveChoice, state: LiveState): Promise<LiveServer> {
  const { lifeCycle, url, ledger, redact } = choice
  const { hooks: commands, parameters, manual, hookLimitMs: limitMs } = lifeCycle
  const hooks = createHooks({ commands, url, parameters, limitMs, redact, ledger })
  const { createPerson } = manual ? await import('./person.ts') : { createPerson: null }
  const person = createPerson?.(choice) ?? null
  const readyMs = Math.max(minReadyMs, limitMs)
  return createLiveServer({ ...choice, hooks, person, readyMs, briefMs: 1_500 }, state)
}

/** The driver for a leased server; null if none may be leased. The ledger gets what restores the server first. */
export async function leaseLiveServer(
  settings: PluginSettings,
  lifeCycle: LifeCycle,
  driving: Pick<LiveChoice, 'pace' | 'redact' | 'signal'>,
): Promise<LiveDriver | null> {
  const { target, safety, risk, logins, timeoutMs } = settings
  const { url, transport, key, temporaryKey } = target
  const { before = [], ledgerFile = null } = safety ?? {}
  if (temporaryKey === undefined || ledgerFile === null || risk !== 'exclusive') return null
  const ledger = openLedger(ledgerFile, driving.redact)
  // What is needed to restore the server later. The key stays out of the file.
  const { API_Key: _key, ...others } = lifeCycle.parameters ?? ({} as Parameters)
  const { hooks, manual } = lifeCycle
  const order = before.map(contentOf)
  ledger.append({ event: 'lend', hooks, manual, parameters: lifeCycle.parameters && others, order })
  const choice = { ...driving, lifeCycle, url, transport, key, logins, ledger, timeoutMs }
  const server = await openLive(choice, liveState({ keys: [key], order, seen: before }))
  return createLiveDriver(server, temporaryKey)
}
