import { certificateProblem } from './certificate.ts'

/** The reason given for a timeout. */
const tookTooLong = 'it took too long'

/** Why there is no response. */
export function failureReason(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  const code = (cause as NodeJS.ErrnoException).code ?? ''
  const certificate = certificateProblem(cause)
  if (certificate !== null) return `the certificate ${certificate.reason}`
  if (code === 'ECONNREFUSED' || cause.message.startsWith('ECONNREFUSED')) return 'the connection was refused'
  if (isOfClosedConnection(cause)) return 'the connection was cut off'
  if (code === 'ECONNABORTED' || code === 'ETIMEDOUT' || code === 'ETIME') return tookTooLong
  if (/^(EPROTO|ERR_SSL_)/.test(code)) return `TLS failed (${tlsReason(cause)}): the server may not speak https`
  return cause.message
}

/** Whether the server had closed the connection. */
export function isOfClosedConnection(error: unknown): boolean {
  return ['ECONNRESET', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '')
}

/** Whether the wait for a response timed out. */
export function isTimeout({ cause }: Error): boolean {
  return failureReason(cause) === tookTooLong
}

/** The readable part of an OpenSSL message. */
function tlsReason(cause: Error): string {
  const { reason } = cause as { reason?: string }
  return reason ?? /:([\w ]+):[^:]*\.c:/.exec(cause.message)?.[1] ?? 'no details'
}
