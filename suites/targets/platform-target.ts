import type { Transport } from '../client/transport.ts'
import type { Capability, Risk } from '../session/check.ts'

/** What the checks know about the platform under judgement. Can be sent as a message. */
export interface PlatformTarget {
  /** Base URL without `/v1` and without a slash at the end. */
  readonly url: string
  /** How connections to it are made. */
  readonly transport: Transport
  readonly key: string
  /** Signs the requests; null where it is not known, and then nothing is signed. */
  readonly secret: string | null
  /** The vendor in the names of the two headers that carry a signature. */
  readonly vendor: string
  /** Where to look for the list of accounts, in this order: the specification does not say it. */
  readonly listPaths: readonly string[]
  readonly risk: Risk
  /** Whether the kit itself started it, so that nobody is harmed whatever is sent to it. */
  readonly owned: boolean
  /** The group of accounts that the kit creates; null where it may create none. */
  readonly group: string | null
  /** What the names of the kit's accounts begin with. */
  readonly label: string
  readonly capabilities: readonly Capability[]
  /** What keeps the kit from creating more accounts than it said; null for a platform that it started itself. */
  readonly safety: AccountSafety | null
}

/** Accounts cannot be removed again, so what creates them is counted. */
export interface AccountSafety {
  /** The write-ahead file; null where no account is created. */
  readonly ledgerFile: string | null
  /** The most accounts that were announced. */
  readonly mostAccounts: number
}

/** Base URL of a platform from what a user gives: with or without `/v1` or a slash at the end. */
export function normalisePlatformUrl(text: string): string {
  const url = new URL(text)
  if (!['http:', 'https:'].includes(url.protocol)) {
    throw new TypeError(`the scheme ${url.protocol.slice(0, -1)} is not supported: use https or http`)
  }
  if (url.username !== '' || url.password !== '') throw new TypeError('a user and a password in it are not supported')
  url.search = ''
  url.hash = ''
  return url.href.replace(/\/+$/, '').replace(/\/v1$/, '').replace(/\/+$/, '')
}
