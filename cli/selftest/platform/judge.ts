import { platformChecks, platformObservations } from '../../../suites/checks/platform/all.ts'
import { simulatorTransport } from '../../../suites/client/transport.ts'
import type { Outcome } from '../../../suites/runner/outcome.ts'
import { plan } from '../../../suites/runner/plan.ts'
import { createPlatformContext } from '../../../suites/runner/platform/context.ts'
import { runPlan } from '../../../suites/runner/run-plan.ts'
import { listPaths } from '../../../suites/session/account-list.ts'
import { type PlatformTraits, startEmbeddedPlatform } from '../../../suites/targets/embedded-platform.ts'
import type { PlatformTarget } from '../../../suites/targets/platform-target.ts'
import type { Chosen } from '../plugin/judge.ts'

const keyPair = { apiKey: 'bk_test_a-key-for-tests-7', apiSecret: 'bs_a-secret-for-tests-'.repeat(4) }

/** Runs the chosen checks against a platform simulator with these traits, in this thread. */
export async function judgePlatform(traits: PlatformTraits, chosen: Chosen): Promise<readonly Outcome[]> {
  const { checks = [...platformChecks, ...platformObservations], only = [] } = chosen
  const platform = await startEmbeddedPlatform(keyPair, traits)
  const { apiKey: key, apiSecret: secret } = keyPair
  const capabilities = ['platform', 'platform-secret', 'platform-group', 'own-platform'] as const
  const target: PlatformTarget = {
    url: platform.url,
    key,
    secret,
    transport: simulatorTransport,
    listPaths,
    vendor: 'Platform',
    group: 'demo',
    owned: true,
    capabilities,
    risk: 'exclusive',
    safety: null,
    label: 'copytrade-tck test',
  }
  const context = createPlatformContext({
    target,
    timeoutMs: 3_000,
    maxRequestsPerSecond: null,
    secrets: [key, secret],
  })
  try {
    return await runPlan(plan({ checks, risk: 'exclusive', capabilities, only, skip: [] }), checks, {
      platform: context,
    })
  } finally {
    await platform.stop()
  }
}
