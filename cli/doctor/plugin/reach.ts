import { lookup } from 'node:dns/promises'
import { connect, isIP } from 'node:net'
import { performance } from 'node:perf_hooks'
import { addressOf, opened, type SocketAddress } from '../../../suites/client/socket.ts'
import { proxyAddress } from '../../../suites/client/transport.ts'
import type { Finding } from '../examination.ts'
import type { PluginLook } from './context.ts'

/** Whether the host name of the target can be resolved. */
export async function examineName({ host, transport }: PluginLook): Promise<Finding> {
  if (transport.proxy !== null) return { state: 'skipped', finding: 'resolved by the proxy' }
  if (isIP(host) !== 0) return { state: 'skipped', finding: `${host} is an address, not a name` }
  try {
    const addresses = await lookup(host, { all: true })
    return { state: 'ok', finding: `${host} resolves to ${addresses.map(({ address }) => address).join(', ')}` }
  } catch (error) {
    return {
      state: 'problem',
      finding: `${host} cannot be resolved (${codeOf(error)})`,
      remedy: 'Check the spelling, or give the IP address of the trading server.',
    }
  }
}

/** Whether something listens at the port, and how far away it is. */
export async function examinePort({ host, port, transport, timeoutMs }: PluginLook): Promise<Finding> {
  if (transport.proxy !== null) return examineProxy(transport.proxy, timeoutMs)
  const start = performance.now()
  const failure = await connectionFailure({ host, port }, { timeoutMs })
  if (failure === null) {
    return { state: 'ok', finding: `port ${port} accepts a connection in ${Math.ceil(performance.now() - start)} ms` }
  }
  if (failure === 'ECONNREFUSED') {
    return {
      state: 'problem',
      finding: `nothing listens at port ${port}`,
      remedy:
        'Start the plugin and compare `API_Port` (default: 8443). With an empty `API_Key` the plugin does not listen.',
    }
  }
  return {
    state: 'problem',
    finding: `cannot connect to port ${port} (${failure})`,
    remedy: 'Check the address and the firewall.',
  }
}

async function examineProxy(proxy: string, timeoutMs: number): Promise<Finding> {
  const failure = await connectionFailure(addressOf(proxy), { timeoutMs })
  const address = proxyAddress(proxy)
  if (failure === null) return { state: 'ok', finding: `the proxy ${address} accepts a connection` }
  return {
    state: 'problem',
    finding: `cannot connect to the proxy ${address} (${failure})`,
    remedy: 'Check `HTTP_PROXY`, `HTTPS_PROXY` and `ALL_PROXY`, or add the host of the target to `NO_PROXY`.',
  }
}

async function connectionFailure(
  { host, port }: SocketAddress,
  { timeoutMs }: { readonly timeoutMs: number },
): Promise<string | null> {
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const socket = await opened(connect({ host, port }), 'connect', signal)
    socket.destroy()
    return null
  } catch (error) {
    return signal.aborted ? `no response within ${timeoutMs} ms` : codeOf(error)
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error)
}
