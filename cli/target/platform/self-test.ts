import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { combine } from '../../../simulator/defect-parts/combine.ts'
import { type PlatformDefect, platformDefects } from '../../../simulator/platform/defects/index.ts'
import type { PlatformProfile } from '../../../simulator/platform/index.ts'
import type { TradingAccount } from '../../../simulator/platform/model/trading-account.ts'
import { encodeRecords } from '../../../simulator/platform/store/records.ts'
import { memoryFile } from '../../../simulator/storage/memory-file.ts'
import { plan } from '../../../suites/runner/plan.ts'
import { createPlatformContext } from '../../../suites/runner/platform/context.ts'
import { runPlan } from '../../../suites/runner/run-plan.ts'
import type { Case } from '../../../suites/session/check.ts'
import type { PlatformSession } from '../../../suites/session/platform-session.ts'
import type { Conditions, RunScope, SelfTestParts } from '../self-test.ts'
import { platformCapabilities, type SimulatedPlatform, startPlatform } from './simulate.ts'

const everything: Conditions = { risk: 'exclusive', capabilities: platformCapabilities, shared: false }

/** Accounts of other clients, which a foreign platform has. */
const foreignAccounts = ['Long-term portfolio', 'Intraday'].map((name, at): TradingAccount => {
  const terms = { name, group: 'demo-usd', leverage: 50, currency: 'USD', balance: 2_500 * (at + 1) }
  return { id: `ta_${7_001 + at}`, ...terms, createdAt: '2025-03-04T09:30:15.250Z' }
})

/** Typical runs, starting with the most limited one. */
const runScopes: readonly RunScope[] = [
  {
    id: 'platform-read',
    summary: '`--platform-url`',
    risk: 'read',
    capabilities: ['platform', 'platform-secret'],
    shared: true,
  },
  {
    id: 'platform-write',
    summary: '`--platform-url --risk write --group`',
    risk: 'write',
    capabilities: ['platform', 'platform-secret', 'platform-group'],
    shared: true,
  },
  {
    id: 'platform-disposable',
    summary: '`--platform-url --risk write --group --disposable-platform`',
    ...everything,
    risk: 'write',
  },
]

export const platformSelfTest: SelfTestParts<PlatformDefect> = {
  defects: platformDefects,
  runScopes,
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
  judge({ answers, defects, checks, scope }) {
    const profile = answers as Partial<PlatformProfile>
    const override = combine(defects.map((defect) => defect.override))
    return judgePlatform({ override, profile }, checks, scope)
  },
}

/** Runs these checks against a platform simulator with these settings, in this thread. */
export async function judgePlatform(
  settings: SimulatedPlatform,
  checks: readonly Case<PlatformSession>[],
  { risk, capabilities, shared }: Conditions = everything,
) {
  const [key, secret] = ['bk_test_a-key-for-tests-7', 'bs_a-secret-for-tests-'.repeat(4)] as const
  const granted = { key, secret, risk, label: 'copytrade-tck test' } as const
  const file = memoryFile(encodeRecords({ keys: [], accounts: shared ? foreignAccounts : [] }))
  const started = await startPlatform(granted, { ...settings, file })
  // A foreign platform is reached through the guard, which writes a ledger.
  const folder = shared ? await mkdtemp(join(tmpdir(), 'copytrade-tck-')) : null
  const foreign = folder !== null && {
    owned: false,
    accountTerms: { currency: 'USD', leverage: 100 },
    safety: { ledgerFile: join(folder, 'accounts.jsonl'), mostAccounts: Number.POSITIVE_INFINITY },
  }
  const target = { ...started.target, capabilities, ...foreign }
  const limits = { timeoutMs: 5_000, maxRequestsPerSecond: null, secrets: [key, secret] }
  const planned = plan({ checks, risk, capabilities, shared, only: [], skip: [] })
  try {
    return await runPlan(planned, checks, createPlatformContext({ ...limits, target }))
  } finally {
    await started.stop()
    if (folder !== null) await rm(folder, { recursive: true })
  }
}
