import { combine } from '../../../simulator/defect-parts/combine.ts'
import type { Profile } from '../../../simulator/index.ts'
import { type Defect, pluginDefects } from '../../../simulator/plugin/defects/index.ts'
import { runningServerTransport, simulatorTransport } from '../../../suites/client/transport.ts'
import { copyValue, publicCopySyntax } from '../../../suites/model/copy-syntax.ts'
import type { Draft } from '../../../suites/model/rule.ts'
import type { Outcome } from '../../../suites/runner/outcome.ts'
import { plan } from '../../../suites/runner/plan.ts'
import { createPluginContext } from '../../../suites/runner/plugin/create-context.ts'
import { unguardedSettings } from '../../../suites/runner/plugin/settings.ts'
import { runPlan } from '../../../suites/runner/run-plan.ts'
import { type Case, ownServerCapabilities } from '../../../suites/session/check.ts'
import type { Session } from '../../../suites/session/session.ts'
import { createEmbeddedDriver } from '../../../suites/targets/embedded.ts'
import type { OwnDriver } from '../../../suites/targets/own-servers.ts'
import type { Conditions, RunScope, SelfTestParts } from '../self-test.ts'

/** Enough for checks that do not fill the list. */
const room = 30

/** Includes `capacity`, since users' servers have room for long lists but the simulator only for 32 rules. */
const exec = [...ownServerCapabilities, 'capacity'] as const
const execStated = [...exec, 'stated-capacity'] as const

const everything: Conditions = { risk: 'exclusive', capabilities: execStated, shared: false }

/** The syntax of the simulator if its profile does not have the public one. */
export const syntaxWithSemicolons = '{master};{followers};{mode};{value};{direction}'

/** Typical runs, starting with the most limited one. */
const runScopes: readonly RunScope[] = [
  { id: 'read', summary: '`--target`', risk: 'read', capabilities: [], shared: true },
  { id: 'write', summary: '`--target --risk write`', risk: 'write', capabilities: [], shared: true },
  { id: 'exclusive', summary: '`--target --risk exclusive`', risk: 'exclusive', capabilities: [], shared: true },
  {
    id: 'restart-hook',
    summary: '`--target --risk exclusive --hook-restart`',
    risk: 'exclusive',
    capabilities: ['restart'],
    shared: true,
  },
  { id: 'exec', summary: '`--exec`', risk: 'exclusive', capabilities: exec, shared: false },
  { id: 'exec-capacity', summary: '`--exec --capacity`', risk: 'exclusive', capabilities: execStated, shared: false },
]

export const pluginSelfTest: SelfTestParts<Defect> = {
  defects: pluginDefects,
  unmeasurable: [
    {
      subjects: /^plugin\.body\.invalid-utf-8$/,
      where: { 'plugin.body.unknown-member': 'refused' },
      reason: 'the invalid UTF-8 is sent in an additional member, which is rejected in any case',
    },
  ],
  runScopes,
  otherAnswers: { 'plugin.add.position': 'start' },
  judge({ answers, defects, checks, seed, scope = everything }) {
    const { capabilities, rules = foreignRules } = scope
    const capacity = rules.length + room
    const profile = answers as Partial<Profile>
    const override = combine(defects.map((defect) => defect.override))
    return judgeServer({
      ...scope,
      driver: createEmbeddedDriver({ capacity, profile, override }),
      capacity: capabilities.includes('stated-capacity') ? capacity : null,
      copySyntax: profile['plugin.start.copy-syntax'] === 'other' ? syntaxWithSemicolons : publicCopySyntax,
      ...{ rules, checks, seed },
    })
  },
}

/** Foreign rules with a common follower, so that the list is not empty and must be preserved. */
export const foreignRules: readonly Draft[] = [
  { master: 1001, follower: 2001, mode: 'mult', value: 1.5, direction: 'same' },
  { master: 1002, follower: 2001, mode: 'fixed', value: 0.01, direction: 'reverse' },
]

/** A server and the conditions of its run. */
export interface ServerToJudge extends Required<Conditions> {
  readonly driver: OwnDriver
  /** The stated capacity and the stated syntax of `Copy_N` values; null if unknown. */
  readonly capacity: number | null
  readonly copySyntax: string | null
  readonly checks: readonly Case<Session>[]
  readonly seed: number
}

/** Runs the checks in this thread against a server of this driver. */
export async function judgeServer(judged: ServerToJudge): Promise<readonly Outcome[]> {
  const { driver, capabilities, risk, shared, rules, capacity, copySyntax, checks, seed } = judged
  const key = 'a-key-for-tests-7'
  try {
    const copies = rules.map((rule, at) => [`Copy_${at + 1}`, copyValue(copySyntax ?? publicCopySyntax, rule)])
    const parameters = { API_Key: key, ...Object.fromEntries(copies) }
    const { id: server, url } = await driver.prepare({ parameters, port: 'given', capacity: null })
    await driver.start(server, 'ready')
    const access = { url, key, transport: shared ? runningServerTransport : simulatorTransport }
    const target = { kind: 'simulator', ...access, server, capabilities, capacity } as const
    const context = createPluginContext({ ...unguardedSettings(target, seed), risk, copySyntax }, driver)
    return await runPlan(plan({ checks, risk, capabilities, shared, only: [], skip: [] }), checks, context)
  } finally {
    await driver.discardAll()
  }
}
