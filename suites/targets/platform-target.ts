import type { Transport } from '../client/transport.ts'
import type { Capability, Risk } from '../session/check.ts'
import { baseUrlOf } from './target.ts'

/** The platform under test, as the checks see it. Can be sent as a message. */
export interface PlatformTarget {
  /** Base URL without `/v1` and without a slash at the end. */
  readonly url: string
  readonly transport: Transport
  readonly key: string
  /** Signs the requests; null if unknown; requests are not signed then. */
  readonly secret: string | null
  /** The vendor in the names of the two headers that carry a signature. */
  readonly vendor: string
  /** Paths at which to look for the list of accounts, in this order; the specification does not define it. */
  readonly listPaths: readonly string[]
  readonly risk: Risk
  /** Whether the kit started it, so that any request is safe. */
  readonly owned: boolean
  /** The group of accounts that the kit creates; null if it may create none. */
  readonly group: string | null
  /** Prefix of the names of the kit's accounts. */
  readonly label: string
  readonly capabilities: readonly Capability[]
  /** The limits of account creation; null for a platform that the kit started. */
  readonly safety: AccountSafety | null
}

/** Accounts cannot be removed, so requests that create them are counted. */
export interface AccountSafety {
  /** The write-ahead file; null if no account is created. */
  readonly ledgerFile: string | null
  /** The announced maximum of accounts. */
  readonly mostAccounts: number
}

/** Base URL of a platform; the input may end with `/v1` or a slash. */
export function normalisePlatformUrl(text: string): string {
  return baseUrlOf(text, /\/v1$/)
}
