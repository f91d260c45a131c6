/** How connections to a target are made; complete, resolved at the edge. Can be sent as a message. */
export interface Transport {
  /** The authorities whose certificates are trusted, in PEM; null for those that Node.js trusts. */
  readonly ca: string | null
  /** Take any certificate: for tests alone. */
  readonly insecure: boolean
  /** URL of the forward proxy, with its user and password if it has any; null for none. */
  readonly proxy: string | null
  /**
   * The server closes no connection but in answer to a request or when it ends, as a simulator of the kit
   * promises. Requests that change something can then share connections.
   */
  readonly persistent: boolean
}

/** Without a proxy, and with the authorities that Node.js trusts. */
export const directTransport: Transport = { ca: null, insecure: false, proxy: null, persistent: false }

/** To a simulator in a process of the kit. */
export const simulatorTransport: Transport = { ...directTransport, persistent: true }

/** The proxy as it may be shown: without user and password. */
export function proxyAddress(proxy: string): string {
  const { protocol, host } = new URL(proxy)
  return `${protocol}//${host}`
}

/** What nobody may see of a proxy: its password, and what stands for both in a header. */
export function proxySecrets({ proxy }: Transport): readonly string[] {
  const credentials = proxy === null ? null : credentialsOf(proxy)
  if (credentials === null) return []
  const { user, password } = credentials
  const pair = `${user}:${password}`
  const inUrl = new URL(proxy ?? '').password
  return [password, inUrl, pair, Buffer.from(pair).toString('base64')].filter((text) => text !== '')
}

/** The header that lets the kit through a proxy which wants to know who it is. */
export function proxyAuthorization(proxy: string): Readonly<Record<string, string>> {
  const credentials = credentialsOf(proxy)
  if (credentials === null) return {}
  const pair = `${credentials.user}:${credentials.password}`
  return { 'Proxy-Authorization': `Basic ${Buffer.from(pair).toString('base64')}` }
}

function credentialsOf(proxy: string): { readonly user: string; readonly password: string } | null {
  const { username, password } = new URL(proxy)
  if (username === '' && password === '') return null
  return { user: decodeURIComponent(username), password: decodeURIComponent(password) }
}
