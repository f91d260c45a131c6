import type { AccountsRecord } from '../../../reports/report.ts'
import { platformChecks, platformObservations } from '../../../suites/checks/platform/all.ts'
import type { PlannedCheck } from '../../../suites/runner/plan.ts'
import { readAccountLedger } from '../../../suites/safety/account-ledger.ts'
import type { PlatformTarget } from '../../../suites/targets/platform-target.ts'

/** The most accounts that the checks which are run may create. */
export function accountsToCreate(planned: readonly PlannedCheck[]): number {
  const run = new Set(planned.filter(({ outOfScope }) => outOfScope === null).map(({ id }) => id))
  const cases = [...platformChecks, ...platformObservations]
  const counts = cases.filter(({ id }) => run.has(id)).flatMap(({ creates }) => creates ?? [])
  // The sample is created once, for whichever check comes first.
  return counts.reduce<number>((sum, count) => sum + (count === 'sample' ? 0 : count), counts.length > 0 ? 1 : 0)
}

/** What the ledger says was created on a foreign platform; null for one that the kit started. */
export function createdAccounts({ safety, group }: PlatformTarget): AccountsRecord | null {
  if (safety === null) return null
  const read = safety.ledgerFile === null ? null : readAccountLedger(safety.ledgerFile)
  if (read === null) return { group, most: 0, created: [], uncertain: [] }
  return { group: read.group, most: read.mostAccounts, created: read.created, uncertain: read.uncertain }
}
