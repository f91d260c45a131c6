import { simulatorTransport } from '../../suites/client/transport.ts'
import { createRunContext, type RunSettings } from '../../suites/runner/context.ts'
import type { Outcome } from '../../suites/runner/outcome.ts'
import type { PlannedCheck } from '../../suites/runner/plan.ts'
import type { PlatformSettings } from '../../suites/runner/platform/context.ts'
import type { PluginSettings } from '../../suites/runner/plugin/context.ts'
import { runPlan } from '../../suites/runner/run-plan.ts'
import { listPaths } from '../../suites/session/account-list.ts'
import { apiOf } from '../../suites/session/check.ts'
import type { OwnDriver } from '../../suites/targets/own-servers.ts'
import { everyCheck } from './apis.ts'
import { embeddedKeys } from './platform/open.ts'

/** A run as it would go against a target that conforms. */
export interface Rehearsal {
  readonly outcomes: readonly Outcome[]
  /** The most writes that the run is allowed to send. */
  readonly mostWrites: number
}

const mostWritesOf = new Map(everyCheck.map(({ id, mostWrites }) => [id, mostWrites]))
const aboutPlugin = new Set(everyCheck.filter((check) => apiOf(check) === 'plugin').map(({ id }) => id))

/** A target with other answers is asked a little differently, and a check whose connection broke again. */
const slack = 3

/** What the rehearsed server starts with: a list that is not empty. */
const copy = { Copy_1: '1001>2001,mult,1.5,same', Copy_2: '1002>2002,fixed,0.01,reverse' }

/** Runs the plan against simulators in this process and counts what is sent. */
export async function rehearse(plan: readonly PlannedCheck[], settings: RunSettings): Promise<Rehearsal> {
  const { createEmbeddedDriver } = await import('../../suites/targets/embedded.ts')
  const driver = createEmbeddedDriver({ capacity: 50 })
  const platform = settings.platform && (await startRehearsedPlatform(settings.platform))
  try {
    const plugin = settings.plugin && (await startRehearsedPlugin(settings.plugin, driver))
    const context = createRunContext({ plugin, platform: platform?.settings ?? null }, driver)
    const outcomes = await runPlan(plan, everyCheck, context)
    const fill = settings.plugin?.risk === 'exclusive' ? 4 * settings.plugin.maxFill : 0
    const writes = outcomes
      .filter(({ check }) => aboutPlugin.has(check))
      .reduce((sum, outcome) => sum + mostOf(outcome, settings.plugin?.thorough ?? 1), 0)
    return { outcomes, mostWrites: writes + fill }
  } finally {
    await driver.discardAll()
    await platform?.stop()
  }
}

/** A plugin that stands for the one that is judged. */
async function startRehearsedPlugin(settings: PluginSettings, driver: OwnDriver): Promise<PluginSettings> {
  const { key } = settings.target
  const parameters = { API_Key: key, ...copy }
  const prepared = await driver.prepare({ parameters, defaultPort: false, capacity: null })
  if (prepared === 'port-taken') throw new Error('no free port was found')
  const { id: server, url } = prepared
  await driver.start(server, 'ready')
  return {
    ...settings,
    target: { ...settings.target, kind: 'simulator', url, transport: simulatorTransport, server },
    safety: null,
    maxRequestsPerSecond: null,
    maxFill: Math.min(settings.maxFill, 50),
  }
}

/** A platform that stands for the one that is judged. */
async function startRehearsedPlatform({ target, ...settings }: PlatformSettings) {
  const { startEmbeddedPlatform } = await import('../../suites/targets/embedded-platform.ts')
  const { key, secret } = embeddedKeys()
  const { vendor, group } = target
  const keyPair = { apiKey: key, apiSecret: secret }
  const { url, stop } = await startEmbeddedPlatform(keyPair, { vendor, ...(group === null ? {} : { groups: [group] }) })
  const rehearsed: PlatformSettings = {
    ...settings,
    target: {
      ...target,
      url,
      transport: simulatorTransport,
      key,
      secret: target.secret && secret,
      listPaths,
      safety: null,
    },
    maxRequestsPerSecond: null,
    secrets: [...settings.secrets, key, secret],
  }
  return { settings: rehearsed, stop }
}

/**
 * Each write may be followed by one that cleans up. A check that looks for the shortest way to a
 * failure sends more when there is one, and states the most of that itself.
 */
function mostOf(outcome: Outcome, thorough: number): number {
  const stated = mostWritesOf.get(outcome.check)
  const wasRun = outcome.exchanges.length > 0
  return 2 * (wasRun && stated !== undefined ? stated(thorough) : slack * writesOf(outcome))
}

/** How many requests of a check may change something. */
export function writesOf({ exchanges, exchangesOmitted }: Outcome): number {
  return (
    exchanges.filter(({ request }) => !['GET', 'HEAD', 'OPTIONS'].includes(request.method)).length + exchangesOmitted
  )
}
