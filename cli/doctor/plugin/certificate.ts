import type { TLSSocket } from 'node:tls'
import { certificateProblem } from '../../../suites/client/certificate.ts'
import { failureReason } from '../../../suites/client/failure-reason.ts'
import { openSocket } from '../../../suites/client/socket.ts'
import { remedyFor } from '../../transport/explain.ts'
import type { Finding } from '../examination.ts'
import type { PluginLook } from './context.ts'

/** A certificate that expires sooner is a warning. */
const soonDays = 14

/** Whether the certificate of an https server is trusted, and for how long. */
export async function examineCertificate(context: PluginLook): Promise<Finding> {
  const { url, transport, timeoutMs } = context
  if (!url.startsWith('https:')) return { state: 'skipped', finding: 'plain http has no certificate' }
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
      remedy: remedyFor(error, transport, 'Check that this port serves https. The plugin API itself is plain http.'),
    }
  }
}

const unchecked: Finding = {
  state: 'warning',
  finding: 'not verified: `--insecure` accepts any certificate',
  remedy: 'An attacker on the network can read the key. Use `--ca <file>` instead.',
}

function validUntil(end: Date): Finding {
  const days = Math.floor((end.getTime() - Date.now()) / 86_400_000)
  const finding = `is trusted until ${end.toISOString().slice(0, 10)}`
  if (days > soonDays) return { state: 'ok', finding }
  return { state: 'warning', finding: `${finding}: ${days} days left`, remedy: 'Renew the certificate.' }
}
