/** Why a certificate is not good enough, and what a person can do about it. */
export interface CertificateProblem {
  /** Goes on after "the certificate". */
  readonly reason: string
  readonly remedy: string
}

const trustIt = 'If it is the right server, give the certificate of its authority with --ca <pem file>'
const orNot = 'for a test alone, --insecure takes any certificate.'

const untrusted = (reason: string): CertificateProblem => ({ reason, remedy: `${trustIt}; ${orNot}` })
const renew = (reason: string): CertificateProblem => ({
  reason,
  remedy: `Renew it on the server, and compare the clocks; ${orNot}`,
})

/** By the code that OpenSSL or Node.js gives to the error. */
const problems: Readonly<Record<string, CertificateProblem>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted('is not trusted: it is self-signed'),
  SELF_SIGNED_CERT_IN_CHAIN: untrusted('is not trusted: the authority at the end of its chain is not known here'),
  UNABLE_TO_GET_ISSUER_CERT: untrusted('is not trusted: a certificate of its chain is missing'),
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted('is not trusted: its authority is not known here'),
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted('is not trusted: its authority is not known here'),
  CERT_UNTRUSTED: untrusted('is not trusted'),
  INVALID_CA: untrusted('is not trusted: what signed it is no authority'),
  CERT_SIGNATURE_FAILURE: untrusted('is not trusted: its signature is wrong'),
  CERT_HAS_EXPIRED: renew('has expired'),
  CERT_NOT_YET_VALID: renew('is not valid yet'),
}

/** What is wrong with the certificate of a server, if that is why a connection failed; null otherwise. */
export function certificateProblem(error: unknown): CertificateProblem | null {
  const { code = '', host, cert } = error as { code?: string; host?: string; cert?: { subjectaltname?: string } }
  if (code !== 'ERR_TLS_CERT_ALTNAME_INVALID') return problems[code] ?? null
  const names = (cert?.subjectaltname ?? '').replaceAll(/(DNS|IP Address):/g, '')
  return {
    reason: `is for another host: it names ${names === '' ? 'none' : names}, not ${host ?? 'this one'}`,
    remedy: `Give --target with a name that the certificate holds; ${orNot}`,
  }
}
