import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { connectionFailure, endpointOf, openSocket } from '../../../suites/client/connect.ts'
import { certificateProblem, failureReason } from '../../../suites/client/failure-reason.ts'
import { type HttpResponse, NoResponse } from '../../../suites/client/response.ts'
import { proxyAddress } from '../../../suites/client/transport.ts'
import { isMalformed } from '../../../suites/runner/server-under-test.ts'
import { UnreachableError } from '../../command-error.ts'
import { remedyFor } from '../../transport/explain.ts'
import { type DoctorFinding, ok, problem, skipped, warning } from '../examination.ts'
import type { PluginReads } from './reads.ts'

export async function examineName({ host, transport }: PluginReads): Promise<DoctorFinding> {
  if (transport.proxy !== null) return skipped('resolved by the proxy')
  if (isIP(host) !== 0) return skipped(`${host} is an address, not a name`)
  try {
    const addresses = await lookup(host, { all: true })
    return ok(`${host} resolves to ${addresses.map(({ address }) => address).join(', ')}`)
  } catch (error) {
    return problem(
      `${host} cannot be resolved (${(error as NodeJS.ErrnoException).code ?? String(error)})`,
      'Check the spelling, or give the IP address of the trading server.',
    )
  }
}

export async function examinePort({ host, port, transport, timeoutMs }: PluginReads): Promise<DoctorFinding> {
  if (transport.proxy !== null) return examineProxy(transport.proxy, timeoutMs)
  const start = performance.now()
  const failure = await connectionFailure({ host, port }, timeoutMs)
  if (failure === null) {
    return ok(`port ${port} accepts a connection in ${Math.ceil(performance.now() - start)} ms`)
  }
  if (failure === 'ECONNREFUSED') {
    return problem(
      `nothing listens at port ${port}`,
      'Start the plugin and compare `API_Port` (default: 8443). With an empty `API_Key` the plugin does not listen.',
    )
  }
  return problem(`cannot connect to port ${port} (${failure})`, 'Check the address and the firewall.')
}

async function examineProxy(proxy: string, timeoutMs: number): Promise<DoctorFinding> {
  const failure = await connectionFailure(endpointOf(proxy), timeoutMs)
  const address = proxyAddress(proxy)
  if (failure === null) return ok(`the proxy ${address} accepts a connection`)
  return problem(
    `cannot connect to the proxy ${address} (${failure})`,
    'Check `HTTP_PROXY`, `HTTPS_PROXY` and `ALL_PROXY`, or add the host of the target to `NO_PROXY`.',
  )
}

const soonDays = 14

export async function examineCertificate(context: PluginReads): Promise<DoctorFinding> {
  const { url, transport, timeoutMs } = context
  if (!url.startsWith('https:')) return skipped('plain http has no certificate')
  try {
    const socket = (await openSocket(url, transport, AbortSignal.timeout(timeoutMs))) as TLSSocket
    const validTo = socket.getPeerCertificate().valid_to
    socket.destroy()
    return transport.insecure ? unchecked : validUntil(new Date(validTo))
  } catch (error) {
    return problem(
      certificateProblem(error)?.reason ?? failureReason(error),
      remedyFor(error, transport, 'Check that this port serves https. The plugin API itself is plain http.'),
    )
  }
}

const unchecked: DoctorFinding = warning(
  'not verified: `--insecure` accepts any certificate',
  'An attacker on the network can read the key. Use `--ca <file>` instead.',
)

function validUntil(end: Date): DoctorFinding {
  const days = Math.floor((end.getTime() - Date.now()) / 86_400_000)
  const finding = `is trusted until ${end.toISOString().slice(0, 10)}`
  if (days > soonDays) return ok(finding)
  return warning(`${finding}: ${days} days left`, 'Renew the certificate.')
}

/** Checks that the server speaks HTTP, with or without TLS according to its URL. A run judges wrong responses. */
export async function examineHttp(reads: PluginReads): Promise<DoctorFinding> {
  const { url, transport, timeoutMs, seen } = reads
  const { status, list } = await seen()
  if ([status, list].every(mayBeOfTls) && (await speaksTlsInstead(reads))) {
    return problem(
      `${url} cannot be reached: the server speaks TLS (https), not plain HTTP`,
      'The plugin API itself is plain HTTP: check the address and `API_Port`, or give an https URL for a TLS proxy.',
      UnreachableError,
    )
  }
  if (!(status instanceof NoResponse)) return ok(`responds in ${Math.ceil(status.exchange.durationMs)} ms`)
  if (isMalformed(status)) {
    const what = `the response is not valid HTTP (${failureReason(status.cause)})`
    return problem(what, 'Check the port: another service may use it. See with `curl -v` what it sends.')
  }
  const otherwise = `Check the address and the port, and that the server allows this machine. For a slow server give a \`--timeout\` above ${timeoutMs}. An empty \`API_Key\` disables the API.`
  const remedy = remedyFor(status.cause, transport, otherwise)
  const isSilent = list instanceof NoResponse && !isMalformed(list)
  return problem(`${url} cannot be reached: ${status.message}`, remedy, isSilent ? UnreachableError : undefined)
}

/** Some TLS servers answer plain HTTP with a 400 that says so. */
function mayBeOfTls(seen: HttpResponse | NoResponse): boolean {
  return seen instanceof NoResponse || (seen.status === 400 && /https|ssl|tls/i.test(seen.text))
}

/** A TLS server responds to a handshake at once. */
const patienceMs = 3_000

/** Begins a TLS handshake and sends no request. Only for an http URL without a proxy. */
async function speaksTlsInstead({ url, port, transport, timeoutMs }: PluginReads): Promise<boolean> {
  if (!url.startsWith('http:') || transport.proxy !== null) return false
  const secure = Object.assign(new URL(url), { protocol: 'https:', port })
  try {
    // No secret is sent, so the certificate does not matter.
    const anyCertificate = { ...transport, insecure: true }
    const socket = await openSocket(secure.href, anyCertificate, AbortSignal.timeout(Math.min(timeoutMs, patienceMs)))
    socket.destroy()
    return true
  } catch (error) {
    // Only a TLS server ends a handshake with an alert.
    return /ALERT/.test((error as NodeJS.ErrnoException).code ?? '')
  }
}
