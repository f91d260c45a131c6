import { platformChecks, platformObservations } from '../../suites/checks/platform/all.ts'
import { simulatorTransport } from '../../suites/client/transport.ts'
import type { Outcome } from '../../suites/runner/outcome.ts'
import { plan } from '../../suites/runner/plan.ts'
import { createContext } from '../../suites/runner/plugin/context.ts'
import { unguardedSettings } from '../../suites/runner/plugin/unguarded-settings.ts'
import { runPlan } from '../../suites/runner/run-plan.ts'
import { listPaths } from '../../suites/session/account-list.ts'
import { type PlatformTraits, startEmbeddedPlatform } from '../../suites/targets/embedded-platform.ts'
import type { Chosen } from './judge.ts'

const keyPair = { apiKey: 'bk_test_a-key-for-tests-7', apiSecret: 'bs_a-secret-for-tests-'.repeat(4) }

/** Runs the chosen checks against a platform simulator with these traits, in this thread and without Vitest. */
export async function judgePlatform(traits: PlatformTraits, chosen: Chosen): Promise<readonly Outcome[]> {
  const { checks = [...platformChecks, ...platformObservations], only = [], seed } = chosen
  const platform = await startEmbeddedPlatform(keyPair, traits)
  const { apiKey: key, apiSecret: secret } = keyPair
  const { url } = platform
  const capabilities = ['platform', 'platform-secret', 'platform-group', 'own-platform'] as const
  const reached = { url, transport: simulatorTransport, key }
  const target = { ...reached, kind: 'url', server: null, capabilities: [], capacity: null } as const
  const context = createContext(
    {
      ...unguardedSettings(target, seed),
      maxFill: 0,
      secrets: [key, secret],
      platform: {
        ...{ ...reached, secret, capabilities, listPaths, risk: 'exclusive', safety: null },
        ...{ vendor: 'Platform', owned: true, group: 'demo', label: 'copytrade-tck test' },
      },
    },
    null,
  )
  try {
    return await runPlan(plan({ checks, risk: 'exclusive', capabilities, only, skip: [] }), checks, context)
  } finally {
    await platform.stop()
  }
}
