import { combine } from '../../../simulator/defect-parts/combine.ts'
import { type PlatformDefect, platformDefects } from '../../../simulator/platform/defects/index.ts'
import type { PlatformProfile } from '../../../simulator/platform/index.ts'
import { plan } from '../../../suites/runner/plan.ts'
import { createPlatformContext } from '../../../suites/runner/platform/context.ts'
import { runPlan } from '../../../suites/runner/run-plan.ts'
import type { Case } from '../../../suites/session/check.ts'
import type { PlatformSession } from '../../../suites/session/platform-session.ts'
import type { SelfTestParts } from '../self-test.ts'
import { type SimulatedPlatform, startPlatform } from './simulate.ts'

export const platformSelfTest: SelfTestParts<PlatformDefect> = {
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
      subjects: /^platform\.auth\.client-error$/,
      where: { 'platform.signing.check': 'off' },
      reason: 'a malformed signature is ignored too',
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
  judge({ answers, defects, checks }) {
    const profile = answers as Partial<PlatformProfile>
    const override = combine(defects.map((defect) => defect.override))
    return judgePlatform({ override, profile }, checks)
  },
}

/** Runs these checks against a platform simulator with these settings, in this thread. */
export async function judgePlatform(settings: SimulatedPlatform, checks: readonly Case<PlatformSession>[]) {
  const [key, secret] = ['bk_test_a-key-for-tests-7', 'bs_a-secret-for-tests-'.repeat(4)] as const
  const granted = { key, secret, risk: 'exclusive', label: 'copytrade-tck test' } as const
  const { target, stop } = await startPlatform(granted, settings)
  const limits = { timeoutMs: 3_000, maxRequestsPerSecond: null, secrets: [key, secret] }
  const planned = plan({ ...target, checks, only: [], skip: [] })
  return runPlan(planned, checks, createPlatformContext({ ...limits, target })).finally(stop)
}
