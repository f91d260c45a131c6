import type { Transport } from '../client/transport.ts'
import type { Capability } from '../session/check.ts'

/** What the checks know about the server under judgement. Can be sent as a message. */
export interface Target {
  readonly kind: 'simulator' | 'url' | 'exec' | 'container'
  /** Base URL without `/api` and without a slash at the end. */
  readonly url: string
  /** How it is reached; a server that the kit started is reached directly. */
  readonly transport: Transport
  readonly key: string
  /** The id of the main server at the driver; null where the kit did not start it. */
  readonly server: string | null
  /** The key that a server of somebody else gets while it is lent to the kit; absent where none is. */
  readonly temporaryKey?: string
  /**
   * Something in between accepts connections to its port, whether it listens or not; absent where
   * nothing does.
   */
  readonly forwarded?: true
  readonly capabilities: readonly Capability[]
  /** The stated rule capacity, null where it is not known. */
  readonly capacity: number | null
}

/** Base URL of a plugin from what a user gives: with or without `/api` or a slash at the end. */
export function normaliseBaseUrl(text: string): string {
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new TypeError(`the scheme ${url.protocol.slice(0, -1)} is not supported: use http or https`)
  if (url.username !== '' || url.password !== '') throw new TypeError('a user and a password in it are not supported')
  url.search = ''
  url.hash = ''
  return url.href
    .replace(/\/+$/, '')
    .replace(/\/api$/, '')
    .replace(/\/+$/, '')
}
