import type { TLSSocket } from 'node:tls'
import { certificateProblem } from '../../../suites/client/certificate.ts'
import { failureReason } from '../../../suites/client/failure-reason.ts'
import { openSocket } from '../../../suites/client/socket.ts'
import { remedyFor } from '../../transport/explain.ts'
import type { Finding } from '../examination.ts'
import type { PluginLook } from './context.ts'

/** A certificate that ends that soon deserves a word. */
const soonDays = 14

/** Whether the server of an https URL shows a certificate that is trusted, and for how long. */
export async function examineCertificate(context: PluginLook): Promise<Finding> {
  const { url, transport, timeoutMs } = context
  if (!url.startsWith('https:')) return { state: 'skipped', finding: 'plain http has none' }
  try {
    const socket = (await openSocket(url, transport, AbortSignal.timeout(timeoutMs))) as TLSSocket
    const validTo = socket.getPeerCertificate().valid_to
    socket.destroy()
    return transport.insecure ? unchecked : validUntil(new Date(validTo))
  } catch (error) {
    const problem = certificateProblem(error)
    const finding = problem === null ? failureReason(error) : problem.reason
    return {
      state: 'problem',
      finding,
      remedy: remedyFor(error, transport, 'Check that this port speaks https; the plugin API itself is plain http.'),
    }
  }
}

const unchecked: Finding = {
  state: 'warning',
  finding: 'not checked: --insecure takes any',
  remedy: 'Whoever stands in between can read the key: give --ca <pem file> instead.',
}

function validUntil(end: Date): Finding {
  const days = Math.floor((end.getTime() - Date.now()) / 86_400_000)
  const finding = `is trusted, until ${end.toISOString().slice(0, 10)}`
  if (days > soonDays) return { state: 'ok', finding }
  return { state: 'warning', finding: `${finding}: ${days} days`, remedy: 'Renew it.' }
}
