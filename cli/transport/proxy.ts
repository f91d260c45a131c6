import { BlockList, isIP, isIPv6 } from 'node:net'
import { UsageError } from '../command-error.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * The proxy for a URL, chosen like curl does; null if there is none. Loopback addresses use it too unless `NO_PROXY`
 * lists them. `NO_PROXY` may contain networks, which no proxy library supports. @throws {UsageError} without the URL of
 * an unsupported proxy, which may contain a password
 */
export function proxyFor(url: string, env: Environment): string | null {
  const { protocol, hostname, port } = new URL(url)
  const read = (name: string) => env[name.toLowerCase()] || env[name] || ''
  const names = [`${protocol.slice(0, -1).toUpperCase()}_PROXY`, 'ALL_PROXY']
  const name = names.find((one) => read(one) !== '')
  if (name === undefined) return null
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  const usedPort = port || (protocol === 'https:' ? '443' : '80')
  const exempt = read('NO_PROXY').split(/[\s,]+/)
  const isExempt = exempt.some((entry) => entry === '*' || matches(entry.toLowerCase(), host, usedPort))
  return isExempt ? null : proxyUrl(name, read(name))
}

function proxyUrl(name: string, value: string): string {
  const text = /^[a-z][\w+.-]*:\/\//i.test(value) ? value : `http://${value}`
  const url = URL.canParse(text) ? new URL(text) : null
  if (url !== null && ['http:', 'https:'].includes(url.protocol) && isDecodable(url)) return url.href
  throw new UsageError(
    `\`${name}\` is not a supported proxy URL.`,
    'Use a URL like `http://proxy.example:3128`, or add the host of the target to `NO_PROXY`.',
  )
}

function isDecodable({ username, password }: URL): boolean {
  try {
    return decodeURIComponent(username + password) !== null
  } catch {
    return false
  }
}

/** Whether a host, domain, address or network (with an optional port) contains an origin. */
function matches(entry: string, host: string, port: string): boolean {
  const [, bracketed, plain, ownPort] =
    /^(?:\[([^\]]*)\]|(.*?))(?::(\d+))?$/.exec(isIPv6(entry) ? `[${entry}]` : entry) ?? []
  const name = (bracketed ?? plain ?? '').replace(/^\*?\./, '').replace(/\.$/, '')
  if (name === '' || (ownPort !== undefined && ownPort !== port)) return false
  if (isIP(host) !== 0) return isInNetwork(host, name)
  return host === name || host.endsWith(`.${name}`)
}

function isInNetwork(address: string, entry: string): boolean {
  const [network = '', bits] = entry.split('/')
  const family = isIPv6(network) ? 'ipv6' : 'ipv4'
  if (isIP(network) === 0 || isIP(network) !== isIP(address)) return false
  const most = family === 'ipv6' ? 128 : 32
  if (bits !== undefined && !(/^\d+$/.test(bits) && Number(bits) <= most)) return false
  const networks = new BlockList()
  networks.addSubnet(network, bits === undefined ? most : Number(bits), family)
  return networks.check(address, family)
}
