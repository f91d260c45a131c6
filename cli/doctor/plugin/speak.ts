import { isIP } from 'node:net'
import { connect } from 'node:tls'
import { failureReason } from '../../../suites/client/failure-reason.ts'
import { ProxyFailed } from '../../../suites/client/proxied.ts'
import { type HttpResponse, NoResponse } from '../../../suites/client/response.ts'
import { opened } from '../../../suites/client/socket.ts'
import { remedyFor } from '../../transport/explain.ts'
import type { Finding } from '../examination.ts'
import type { PluginLook } from './context.ts'

/** Whether the server speaks HTTP, with or without TLS as in its URL. */
export async function examineHttp(context: PluginLook): Promise<Finding> {
  try {
    const answer = await context.status()
    if (mentionsTls(answer) && (await speaksTlsInstead(context))) return tlsFinding
    return { state: 'ok', finding: `responds in ${Math.ceil(answer.exchange.durationMs)} ms` }
  } catch (error) {
    if (!(error instanceof NoResponse)) throw error
    return (await speaksTlsInstead(context)) ? tlsFinding : noHttp(error, context)
  }
}

const tlsFinding: Finding = {
  state: 'problem',
  finding: 'the server speaks TLS (https), not plain HTTP',
  remedy:
    'The plugin API itself is plain HTTP: check the address and `API_Port`, or give an https URL for a TLS proxy.',
}

/** Only for an http URL without a proxy. */
async function speaksTlsInstead(context: PluginLook): Promise<boolean> {
  return context.url.startsWith('http:') && context.transport.proxy === null && (await speaksTls(context))
}

/** Some TLS servers answer plain HTTP with a 400 that says so. */
function mentionsTls({ status, text }: HttpResponse): boolean {
  return status === 400 && /https|ssl|tls/i.test(text)
}

function noHttp({ cause }: NoResponse, { transport, timeoutMs }: PluginLook): Finding {
  if (cause instanceof ProxyFailed) {
    return { state: 'problem', finding: failureReason(cause), remedy: remedyFor(cause, transport, '') }
  }
  const { code = '' } = cause as NodeJS.ErrnoException
  if (code.startsWith('HPE_')) {
    return { state: 'problem', finding: 'the response is not HTTP', remedy: 'Check the port: another service uses it.' }
  }
  if (code === 'ECONNRESET') {
    return {
      state: 'problem',
      finding: 'the connection is closed without a response',
      remedy: 'Check that this is the port of the plugin, and that it allows this machine.',
    }
  }
  return {
    state: 'problem',
    finding: `no HTTP response within ${timeoutMs} ms`,
    remedy: 'Check that this is the port of the plugin. For a slow server use a higher `--timeout <ms>`.',
  }
}

/** A TLS server answers a handshake at once; a silent server does not speak TLS. */
const patienceMs = 3_000

/** Whether a server speaks TLS. Begins a handshake and sends no request. */
async function speaksTls({ host, port, timeoutMs }: PluginLook): Promise<boolean> {
  const socket = connect({
    host,
    port,
    // Whose certificate it is does not matter here: no secret is sent.
    rejectUnauthorized: false,
    ...(isIP(host) === 0 ? { servername: host } : {}),
  })
  try {
    await opened(socket, 'secureConnect', AbortSignal.timeout(Math.min(timeoutMs, patienceMs)))
    return true
  } catch (error) {
    // Only a TLS server refuses a handshake with an alert.
    return /ALERT/.test((error as NodeJS.ErrnoException).code ?? '')
  } finally {
    socket.destroy()
  }
}
