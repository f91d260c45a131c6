import type { Transport } from '../client/transport.ts'
import type { AccountTerms } from '../session/account.ts'
import type { Capability, Risk } from '../session/check.ts'
import type { PlatformCredentials } from '../session/signing.ts'

/** A server under test, as the checks see it. Can be sent to a worker. */
interface AnyTarget {
  /** Base URL without `/api` or `/v1` and without a trailing slash. */
  readonly url: string
  /** Has no proxy for a server that the kit started. */
  readonly transport: Transport
  readonly key: string
  readonly capabilities: readonly Capability[]
}

export interface Target extends AnyTarget {
  readonly kind: 'simulator' | 'url' | 'exec' | 'container'
  /** The header of the key if the server does not support `X-API-Key`, which is a failure. */
  readonly keyAs?: 'bearer'
  /** The id of the main server in the driver; null if the kit did not start it. */
  readonly server: string | null
  /** The temporary key of a foreign server while the kit has exclusive access; absent if it never has. */
  readonly temporaryKey?: string
  /** The given rule capacity; null if unknown. */
  readonly capacity: number | null
}

/** The URL without a query, a slash at the end, and this end of its path. Throws `TypeError` if it cannot be one. */
export function baseUrlOf(text: string, end: '/api' | '/v1'): string {
  const url = new URL(text)
  if (!['http:', 'https:'].includes(url.protocol))
    throw new TypeError(`the scheme ${url.protocol.slice(0, -1)} is not supported: use http or https`)
  if (url.username !== '' || url.password !== '')
    throw new TypeError('a user and a password in the URL are not supported')
  // A gateway may choose the server by the query, so without it another server would be judged.
  if (url.search !== '' || url.hash !== '') throw new TypeError('a query or fragment in the URL is not supported')
  const path = url.pathname.replace(/\/+$/, '')
  const base = path.endsWith(end) ? path.slice(0, -end.length).replace(/\/+$/, '') : path
  return `${url.origin}${base}`
}

export interface PlatformTarget extends AnyTarget, Pick<PlatformCredentials, 'secret' | 'vendor'> {
  /** Paths to try for the list of accounts, in this order. The specification does not define the path. */
  readonly listPaths: readonly string[]
  readonly risk: Risk
  /** Whether the kit started it, so that any request is safe. */
  readonly owned: boolean
  /** The group of accounts that the kit creates; null if it may create none. */
  readonly group: string | null
  /** What was stated about accounts that the platform accepts. */
  readonly accountTerms: AccountTerms
  /** When the first reads were signed, in seconds since 1970, of a platform that accepts no signature twice. */
  readonly readsSignedAt?: number
  /** Prefix of the names of the kit's accounts. */
  readonly label: string
  /** The limits of account creation; null for a disposable platform. */
  readonly safety: AccountSafety | null
}

/** Accounts cannot be removed, so requests that create them are counted. */
export interface AccountSafety {
  /** The write-ahead file; null if no account is created. */
  readonly ledgerFile: string | null
  /** The announced maximum of accounts. */
  readonly mostAccounts: number
}
