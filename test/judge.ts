import { pluginCases, pluginChecks, pluginObservations } from '../suites/cases/all.ts'
import type { Capability, Case } from '../suites/engine/check.ts'
import { createContext } from '../suites/engine/context.ts'
import type { Outcome } from '../suites/engine/outcome.ts'
import { plan } from '../suites/engine/plan.ts'
import { runPlan } from '../suites/engine/run-plan.ts'
import { defaultLogins } from '../suites/session/logins.ts'
import type { OwnDriver } from '../suites/targets/own-servers.ts'

const checks = [...pluginChecks, ...pluginObservations]

/** Rules of nobody, so that the checks meet a list that is not empty and must not be touched. */
const rulesOfOthers = { Copy_1: '1001>2001,mult,1.5,same', Copy_2: '1002>2002,fixed,0.01,reverse' }

export interface Chosen {
  /** Globs over ids of checks, requirements and questions. */
  readonly only?: readonly string[]
  readonly skip?: readonly string[]
  readonly seed: number
}

export interface Judged {
  readonly driver: OwnDriver
  readonly capabilities: readonly Capability[]
  /** The stated capacity; null where it is not known. */
  readonly capacity: number | null
  readonly chosen: Chosen
  /** All checks and observations if left out. */
  readonly cases?: readonly Case[]
}

/** Runs the chosen checks against a server of this driver, in this thread and without Vitest. */
export async function judge({
  driver,
  capabilities,
  capacity,
  chosen,
  cases = checks,
}: Judged): Promise<readonly Outcome[]> {
  const key = 'a-key-for-tests-7'
  try {
    const parameters = { API_Key: key, ...rulesOfOthers }
    const prepared = await driver.prepare({ parameters, defaultPort: false, capacity: null })
    if (prepared === 'port-taken') throw new Error('no free port was found')
    const { id: server, url } = prepared
    await driver.start(server, 'ready')
    const context = createContext(
      {
        target: { kind: 'simulator', url, key, server, capabilities, capacity },
        risk: 'exclusive',
        seed: chosen.seed,
        logins: defaultLogins,
        timeoutMs: 3_000,
        maxRequestsPerSecond: null,
        maxFill: 100,
        secrets: [key],
        launchKey: 'launched-for-tests',
        safety: null,
      },
      driver,
    )
    const { only = [], skip = [] } = chosen
    return await runPlan(plan({ checks: cases, risk: 'exclusive', capabilities, only, skip }), pluginCases, context)
  } finally {
    await driver.discardAll()
  }
}
