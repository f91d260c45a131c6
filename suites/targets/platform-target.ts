import type { Transport } from '../client/transport.ts'
import type { Capability, Risk } from '../session/check.ts'
import { baseUrlOf } from './target.ts'

/** The platform under test, as the checks see it. Can be sent to a worker. */
export interface PlatformTarget {
  /** Base URL without `/v1` and without a trailing slash. */
  readonly url: string
  readonly transport: Transport
  readonly key: string
  /** The secret that signs requests; null if unknown, when requests are not signed. */
  readonly secret: string | null
  /** The vendor in the names of the two headers that carry a signature. */
  readonly vendor: string
  /** Paths to try for the list of accounts, in this order. The specification does not define the path. */
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
