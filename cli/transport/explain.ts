import { certificateProblem } from '../../suites/client/certificate.ts'
import { ProxyFailed } from '../../suites/client/proxied.ts'
import { proxyAddress, type Transport } from '../../suites/client/transport.ts'

/** What a person can do about a request without an answer; `otherwise` where the way is not to blame. */
export function remedyFor(cause: unknown, { proxy }: Transport, otherwise: string): string {
  const certificate = certificateProblem(cause)
  if (certificate !== null) return certificate.remedy
  if (proxy === null) return otherwise
  const settings = 'HTTP_PROXY, HTTPS_PROXY and ALL_PROXY choose the proxy, NO_PROXY holds what is reached without one.'
  return cause instanceof ProxyFailed ? settings : `${otherwise} ${settings}`
}

/** What must not be overlooked about the way to a target, one line each. */
export function warningsAbout(url: string, { insecure, proxy }: Transport): readonly string[] {
  return [
    ...(insecure ? [`WARNING: --insecure: nobody knows whose certificate ${url} shows. ${consequence}`] : []),
    ...(proxy === null ? [] : [`Through the proxy ${proxyAddress(proxy)}.`]),
  ]
}

const consequence = 'Whoever stands in between can read the key and change what is judged.'

/** The command that finishes the clean-up of a run, to be copied from a message. */
export function restoreLine(ledgerFile: string, { insecure }: Transport): string {
  return `copytrade-tck restore --ledger ${ledgerFile}${insecure ? ' --insecure' : ''}`
}
