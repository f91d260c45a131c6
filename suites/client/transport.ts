/** How to connect to a target. Can be posted to another thread. */
export interface Transport {
  /** The trusted certificate authorities in PEM; null for the defaults of Node.js. */
  readonly ca: string | null
  /** Accept any certificate; for tests only. */
  readonly insecure: boolean
  /** URL of the forward proxy, with its user and password; null for none. */
  readonly proxy: string | null
  /** The server closes connections only with a response or when it ends, so that writes can share them. */
  readonly persistent: boolean
  /** A reverse proxy may be in front of the server, and respond in its place. */
  readonly gateway: boolean
}

/** Without a proxy, and with the default authorities of Node.js. */
export const directTransport: Transport = { ca: null, insecure: false, proxy: null, persistent: false, gateway: false }

/** For a server that the kit did not start. */
export const runningServerTransport: Transport = { ...directTransport, gateway: true }

/** For a simulator in a process of the kit. */
export const simulatorTransport: Transport = { ...directTransport, persistent: true }

/** The URL of the proxy without user and password. */
export function proxyAddress(proxy: string): string {
  const { protocol, host } = new URL(proxy)
  return `${protocol}//${host}`
}

/** The secrets of a proxy: its password, also as encoded in a header. */
export function proxySecrets({ proxy }: Transport): readonly string[] {
  if (proxy === null) return []
  const { username, password } = new URL(proxy)
  if (username === '' && password === '') return []
  const plain = decodeURIComponent(password)
  const pair = `${decodeURIComponent(username)}:${plain}`
  return [plain, password, pair, Buffer.from(pair).toString('base64')].filter((text) => text !== '')
}
