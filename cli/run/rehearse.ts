import { simulatorTransport } from '../../suites/client/transport.ts'
import type { Outcome } from '../../suites/runner/outcome.ts'
import type { PlannedCheck } from '../../suites/runner/plan.ts'
import { createContext, type JudgeSettings } from '../../suites/runner/plugin/context.ts'
import { runPlan } from '../../suites/runner/run-plan.ts'
import { listPaths } from '../../suites/session/account-list.ts'
import { isAboutPlatform } from '../../suites/session/check.ts'
import type { PlatformTarget } from '../../suites/targets/platform-target.ts'
import { everyCheck } from './judged.ts'
import { embeddedKeys } from './open-platform.ts'

/** A run as it would go against a target that conforms. */
export interface Rehearsal {
  readonly outcomes: readonly Outcome[]
  /** The most writes that the run is allowed to send. */
  readonly mostWrites: number
}

const mostWritesOf = new Map(everyCheck.map(({ id, mostWrites }) => [id, mostWrites]))
const aboutPlatform = new Set(everyCheck.filter(isAboutPlatform).map(({ id }) => id))

/** A target with other answers is asked a little differently, and a check whose connection broke again. */
const slack = 3

/** What the rehearsed server starts with: a list that is not empty. */
const copy = { Copy_1: '1001>2001,mult,1.5,same', Copy_2: '1002>2002,fixed,0.01,reverse' }

/** Runs the plan against a simulator in this process and counts what is sent. */
export async function rehearse(plan: readonly PlannedCheck[], settings: JudgeSettings): Promise<Rehearsal> {
  const { createEmbeddedDriver } = await import('../../suites/targets/embedded.ts')
  const driver = createEmbeddedDriver({ capacity: 50 })
  const platform = await startRehearsedPlatform(settings.platform)
  try {
    const { key } = settings.target
    const parameters = { API_Key: key, ...copy }
    const prepared = await driver.prepare({ parameters, defaultPort: false, capacity: null })
    if (prepared === 'port-taken') throw new Error('no free port was found')
    await driver.start(prepared.id, 'ready')
    const target = {
      ...settings.target,
      kind: 'simulator',
      url: prepared.url,
      transport: simulatorTransport,
      server: prepared.id,
    } as const
    const context = createContext(
      {
        ...settings,
        ...platform?.settings,
        target,
        secrets: [...settings.secrets, ...(platform?.secrets ?? [])],
        safety: null,
        maxRequestsPerSecond: null,
        maxFill: Math.min(settings.maxFill, 50),
      },
      driver,
    )
    const outcomes = await runPlan(plan, everyCheck, context)
    const fill = settings.risk === 'exclusive' ? 4 * settings.maxFill : 0
    const writes = outcomes
      .filter(({ check }) => !aboutPlatform.has(check))
      .reduce((sum, outcome) => sum + mostOf(outcome, settings.thorough), 0)
    return { outcomes, mostWrites: writes + fill }
  } finally {
    await driver.discardAll()
    await platform?.stop()
  }
}

/** A platform that stands for the one that is judged; null where none is. */
async function startRehearsedPlatform(platform: PlatformTarget | undefined) {
  if (platform === undefined) return null
  const { startEmbeddedPlatform } = await import('../../suites/targets/embedded-platform.ts')
  const { key, secret } = embeddedKeys()
  const { vendor, group } = platform
  const keyPair = { apiKey: key, apiSecret: secret }
  const { url, stop } = await startEmbeddedPlatform(keyPair, { vendor, ...(group === null ? {} : { groups: [group] }) })
  const rehearsed = {
    ...platform,
    url,
    transport: simulatorTransport,
    key,
    secret: platform.secret && secret,
    listPaths,
    safety: null,
  }
  return { settings: { platform: rehearsed }, secrets: [key, secret], stop }
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
