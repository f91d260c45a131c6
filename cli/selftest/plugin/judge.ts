import { pluginChecks, pluginObservations } from '../../../suites/checks/plugin/all.ts'
import { simulatorTransport } from '../../../suites/client/transport.ts'
import type { Outcome } from '../../../suites/runner/outcome.ts'
import { plan } from '../../../suites/runner/plan.ts'
import { createPluginContext } from '../../../suites/runner/plugin/context.ts'
import { unguardedSettings } from '../../../suites/runner/plugin/unguarded-settings.ts'
import { runPlan } from '../../../suites/runner/run-plan.ts'
import type { Capability, Case, Risk } from '../../../suites/session/check.ts'
import type { OwnDriver } from '../../../suites/targets/own-servers.ts'

/** Foreign rules with a follower in common, so that the checks meet a list that is not empty and must not be changed. */
const rulesOfOthers = { Copy_1: '1001>2001,mult,1.5,same', Copy_2: '1002>2001,fixed,0.01,reverse' }

export interface Chosen {
  /** What `only` chooses from. Default: every check and observation of the plugin. */
  readonly checks?: readonly Case[]
  /** Globs over ids of checks, requirements and questions. */
  readonly only?: readonly string[]
  readonly seed: number
}

export interface Judged {
  readonly driver: OwnDriver
  readonly capabilities: readonly Capability[]
  /** Default: everything may be done. */
  readonly risk?: Risk
  /** Whether the rules in the list must stay. */
  readonly shared?: boolean
  /** The stated capacity; null where it is not known. */
  readonly capacity: number | null
  readonly chosen: Chosen
}

/** Runs the chosen checks against a server of this driver, in this thread. */
export async function judge(judged: Judged): Promise<readonly Outcome[]> {
  const { driver, capabilities, risk = 'exclusive', shared = false, capacity, chosen } = judged
  const { checks = [...pluginChecks, ...pluginObservations], only = [], seed } = chosen
  const key = 'a-key-for-tests-7'
  try {
    const parameters = { API_Key: key, ...rulesOfOthers }
    const prepared = await driver.prepare({ parameters, defaultPort: false, capacity: null })
    if (prepared === 'port-taken') throw new Error('no free port was found')
    const { id: server, url } = prepared
    await driver.start(server, 'ready')
    const access = { url, key, transport: simulatorTransport }
    const target = { kind: 'simulator', ...access, server, capabilities, capacity } as const
    const context = createPluginContext({ ...unguardedSettings(target, seed), risk }, driver)
    return await runPlan(plan({ checks, risk, capabilities, shared, only, skip: [] }), checks, { plugin: context })
  } finally {
    await driver.discardAll()
  }
}
