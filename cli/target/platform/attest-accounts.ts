import type { AccountsRecord } from '../../../reports/report.ts'
import { readAccountLedger } from '../../../suites/safety/account-ledger.ts'
import type { PlatformTarget } from '../../../suites/targets/platform-target.ts'

/** What the ledger says was created on the platform of somebody else; null where there is none. */
export function attestAccounts(platform: PlatformTarget | undefined): AccountsRecord | null {
  if (platform === undefined || platform.safety === null) return null
  const { ledgerFile } = platform.safety
  const none = { group: platform.group, most: 0, created: [], uncertain: [] }
  const read = ledgerFile === null ? null : readAccountLedger(ledgerFile)
  if (read === null) return none
  return { group: read.group, most: read.mostAccounts, created: read.created, uncertain: read.uncertain }
}
