import { join } from 'node:path'
import type { AccountEntry } from '../../../suites/safety/accounts.ts'
import { openLedger } from '../../../suites/safety/ledger.ts'
import type { AccountSafety, PlatformTarget } from '../../../suites/targets/platform-target.ts'
import { announceAndAsk, type Consent } from '../ask-consent.ts'

export interface AccountIntention extends Consent {
  readonly target: PlatformTarget
  readonly mostAccounts: number
  readonly startedAt: Date
  readonly redact: (text: string) => string
}

/** What the run will create, in one sentence. */
export function describeAccounts({ group, label, url }: PlatformTarget, mostAccounts: number): string {
  const what = mostAccounts === 1 ? '1 demo account' : `at most ${mostAccounts} demo accounts`
  return `${what} in the group ${group} at ${url}, named like "${label} 1"; they cannot be removed through this API`
}

/**
 * Announces the accounts to create on a foreign platform, asks for consent at a terminal, and opens
 * the ledger.
 *
 * @throws {UsageError} without consent; nothing was created then
 */
export async function announceAccounts(intention: AccountIntention): Promise<AccountSafety> {
  const { target, mostAccounts, options, startedAt, redact } = intention
  if (target.group === null || mostAccounts === 0) return { ledgerFile: null, mostAccounts: 0 }
  await announceAndAsk(`The run creates ${describeAccounts(target, mostAccounts)}.\n`, intention)
  const ledgerFile = join(options.out, `accounts-${new URL(target.url).host.replace(/[^\w.-]+/g, '-')}.jsonl`)
  const ledger = openLedger<AccountEntry>(ledgerFile, redact)
  ledger.append({
    event: 'open',
    schema: 'copytrade-tck/account-ledger@1',
    target: target.url,
    startedAt: startedAt.toISOString(),
    group: target.group,
    label: target.label,
    mostAccounts,
  })
  ledger.close()
  return { ledgerFile, mostAccounts }
}
