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
  if (!/^(EPROTO|ERR_SSL_)/.test(code)) return cause.message
  // The readable part of an OpenSSL message.
  const inMessage = /:([\w ]+):[^:]*\.c:/.exec(cause.message)?.[1]
  const reason = (cause as { reason?: string }).reason ?? inMessage ?? 'no details'
  return `TLS failed (${reason}): the server may not speak https`
}

export function isOfClosedConnection(error: unknown): boolean {
  return ['ECONNRESET', 'EPIPE'].includes((error as NodeJS.ErrnoException | undefined)?.code ?? '')
}

export function isTimeout({ cause }: Error): boolean {
  return failureReason(cause) === tookTooLong
}

/** Why a certificate is rejected, and what to do about it. */
interface CertificateProblem {
  /** Continues a sentence that starts with "the certificate". */
  readonly reason: string
  readonly remedy: string
}

const trustAuthority = 'If this is the right server, give the certificate of its authority with `--ca <file>`'
const acceptAny = 'for tests only, `--insecure` accepts any certificate.'

const untrusted = (reason: string): CertificateProblem => ({ reason, remedy: `${trustAuthority}; ${acceptAny}` })
const renew = (reason: string): CertificateProblem => ({
  reason,
  remedy: `Renew it on the server, or check the clocks of both machines; ${acceptAny}`,
})

/** By error code of OpenSSL or Node.js. */
const problems: Readonly<Record<string, CertificateProblem>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted('is not trusted: it is self-signed'),
  SELF_SIGNED_CERT_IN_CHAIN: untrusted('is not trusted: the root authority of its chain is unknown'),
  UNABLE_TO_GET_ISSUER_CERT: untrusted('is not trusted: a certificate of its chain is missing'),
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted('is not trusted: its authority is unknown'),
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted('is not trusted: its authority is unknown'),
  CERT_UNTRUSTED: untrusted('is not trusted'),
  INVALID_CA: untrusted('is not trusted: it was not signed by a certificate authority'),
  CERT_SIGNATURE_FAILURE: untrusted('is not trusted: its signature is invalid'),
  CERT_HAS_EXPIRED: renew('has expired'),
  CERT_NOT_YET_VALID: renew('is not yet valid'),
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: {
    reason: 'of the client is missing: the server demands one',
    remedy:
      'The kit sends none: give the address of a tunnel on this machine that does, such as stunnel, or of the server itself.',
  },
}

/** The problem with a server's certificate; null if a connection failed for another reason. */
export function certificateProblem(error: unknown): CertificateProblem | null {
  const { code = '', host, cert } = error as { code?: string; host?: string; cert?: { subjectaltname?: string } }
  if (code !== 'ERR_TLS_CERT_ALTNAME_INVALID') return problems[code] ?? null
  const names = (cert?.subjectaltname ?? '').replaceAll(/(DNS|IP Address):/g, '')
  return {
    reason: `is for another host: it names ${names === '' ? 'none' : names}, not ${host ?? 'this one'}`,
    remedy: `Give \`--target\` a host name of the certificate; ${acceptAny}`,
  }
}
