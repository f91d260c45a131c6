import { type PlatformDefect, platformDefects } from '../../../simulator/platform/defects/index.ts'
import type { PlatformProfile } from '../../../simulator/platform/index.ts'
import { platformChecks, platformObservations } from '../../../suites/checks/platform/all.ts'
import { simulatorTransport } from '../../../suites/client/transport.ts'
import type { Outcome } from '../../../suites/runner/outcome.ts'
import { plan } from '../../../suites/runner/plan.ts'
import { createPlatformContext } from '../../../suites/runner/platform/context.ts'
import { runPlan } from '../../../suites/runner/run-plan.ts'
import { listPaths } from '../../../suites/session/account-list.ts'
import type { PlatformCheckSession } from '../../../suites/session/check.ts'
import { type PlatformTraits, startEmbeddedPlatform } from '../../../suites/targets/embedded-platform.ts'
import type { PlatformTarget } from '../../../suites/targets/platform-target.ts'
import type { Chosen } from '../plugin/trials.ts'
import type { Trials } from '../trials.ts'

/** The platform API. */
export const platformTrials: Trials<PlatformDefect> = {
  defects: platformDefects,
  runScopes: [],
  otherAnswers: null,
  unmeasurable: [
    {
      subjects:
        /^platform\.(list\.(?!path)|create\.(refused-adds|same-twice|balance-third)|robust\.(parallel|overflowing)|signing\.covers-query)/,
      where: { 'platform.list.path': 'none' },
      reason: 'accounts that are listed nowhere cannot be observed',
    },
    {
      subjects: /^platform\.list\.created-fields$/,
      where: { 'platform.list.fields': 'known' },
      reason: 'the list does not show the fields in question',
    },
    {
      subjects: /^platform\.signing\.(?!check)/,
      where: { 'platform.signing.check': 'off' },
      reason: 'signatures are not verified',
    },
    {
      subjects: /^platform\.signing\.without-timestamp$/,
      where: { 'platform.signing.check': 'required' },
      reason: 'a request without a timestamp counts as unsigned, and unsigned requests are rejected',
    },
    ...['404', '400'].map((status) => ({
      subjects: /^platform\.method\.allow$/,
      where: { 'platform.method.account': status },
      reason: 'where wrong methods get another status there may be no 405 to observe',
    })),
  ],
  judge({ answers, defect, checks, seed }) {
    const profile = answers as Partial<PlatformProfile>
    const override = defect === null ? {} : { override: defect.override }
    return judgePlatform({ ...override, profile }, { checks, seed })
  },
}

const keyPair = { apiKey: 'bk_test_a-key-for-tests-7', apiSecret: 'bs_a-secret-for-tests-'.repeat(4) }

/** Runs the chosen checks against a platform simulator with these traits, in this thread. */
export async function judgePlatform(
  traits: PlatformTraits,
  chosen: Chosen<PlatformCheckSession>,
): Promise<readonly Outcome[]> {
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
  const limits = { timeoutMs: 3_000, maxRequestsPerSecond: null }
  const context = createPlatformContext({ ...limits, target, secrets: [key, secret] })
  try {
    return await runPlan(plan({ checks, risk: 'exclusive', capabilities, only, skip: [] }), checks, context)
  } finally {
    await platform.stop()
  }
}
