import { certificateProblem } from '../../suites/client/failure-reason.ts'
import { ProxyFailed, ServerDown } from '../../suites/client/proxied.ts'
import { proxyAddress, type Transport } from '../../suites/client/transport.ts'
import { quote } from '../../suites/runner/curl.ts'

/** The remedy for a request without a response: `otherwise`, unless the certificate or a proxy is the cause. */
export function remedyFor(cause: unknown, { proxy }: Transport, otherwise: string): string {
  const certificate = certificateProblem(cause)
  if (certificate !== null) return certificate.remedy
  if (cause instanceof ServerDown) return 'Start the server, or check its address.'
  if (proxy === null) return otherwise
  const settings = 'Set the proxy with `HTTP_PROXY`, `HTTPS_PROXY` or `ALL_PROXY`, and exceptions with `NO_PROXY`.'
  return cause instanceof ProxyFailed ? settings : `${otherwise} ${settings}`
}

/** Warnings and notes about the connection to a target, one line each. */
export function warningsAbout(url: string, { insecure, proxy }: Transport): readonly string[] {
  return [
    ...(insecure ? [`WARNING: \`--insecure\`: the certificate of ${url} is not verified. ${consequence}`] : []),
    ...(proxy === null ? [] : [`Using the proxy ${proxyAddress(proxy)}.`]),
  ]
}

const consequence = 'An attacker on the network can read the key and change the responses.'

/** The command that finishes the clean-up of a run, for a shell. */
export function restoreLine(ledgerFile: string, { insecure }: Transport): string {
  const isPlain = /^[\p{L}\p{N}_./:@%+=,-]+$/u.test(ledgerFile)
  return `copytrade-tck restore --ledger ${isPlain ? ledgerFile : quote(ledgerFile)}${insecure ? ' --insecure' : ''}`
}

export function isKeyRejected(status: number): boolean {
  return status === 401 || status === 403
}

export function platformKeyRemedy(hasSecret: boolean): string {
  return hasSecret
    ? 'Compare `TCK_PLATFORM_KEY` and `TCK_PLATFORM_SECRET` with the dashboard, and check `--signature-vendor`, the clocks, and that no proxy changes the path, which is signed.'
    : 'Compare `TCK_PLATFORM_KEY` with the dashboard. If requests must be signed, set `TCK_PLATFORM_SECRET`.'
}

export const keyRemedy =
  'Give the value of the plugin parameter `API_Key`, in `TCK_API_KEY`, `--api-key-file` or `--api-key`.'
