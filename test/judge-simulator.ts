import { pluginChecks, pluginObservations } from '../suites/cases/all.ts'
import type { Capability } from '../suites/engine/check.ts'
import { createContext } from '../suites/engine/context.ts'
import type { Outcome } from '../suites/engine/outcome.ts'
import { plan } from '../suites/engine/plan.ts'
import { runPlan } from '../suites/engine/run-plan.ts'
import { defaultLogins } from '../suites/session/logins.ts'
import { createEmbeddedDriver, type SimulatorTraits } from '../suites/targets/embedded.ts'

const capacity = 12
const capabilities: readonly Capability[] = ['launch', 'crash', 'rules-file', 'capacity', 'stated-capacity']
const checks = [...pluginChecks, ...pluginObservations]

/** Rules of nobody, so that the checks meet a list that is not empty and must not be touched. */
const rulesOfOthers = { Copy_1: '1001>2001,mult,1.5,same', Copy_2: '1002>2002,fixed,0.01,reverse' }

/** Runs the chosen checks against a simulator with these traits, in this thread and without Vitest. */
export async function judgeSimulator(
  traits: SimulatorTraits,
  chosen: { readonly only?: readonly string[]; readonly skip?: readonly string[]; readonly seed: number },
): Promise<readonly Outcome[]> {
  const key = 'a-key-for-tests-7'
  const driver = createEmbeddedDriver({ capacity, ...traits })
  try {
    const prepared = await driver.prepare({
      parameters: { API_Key: key, ...rulesOfOthers },
      defaultPort: false,
      capacity,
    })
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
        maxFill: 50,
        secrets: [key],
        launchKey: 'launched-for-tests',
      },
      driver,
    )
    const { only = [], skip = [] } = chosen
    const planned = plan({ checks, risk: 'exclusive', capabilities, only, skip })
    return await runPlan(planned, checks, context)
  } finally {
    await driver.discardAll()
  }
}
