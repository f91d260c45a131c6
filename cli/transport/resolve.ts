import { X509Certificate } from 'node:crypto'
import { runningServerTransport } from '../../suites/client/transport.ts'
import { baseUrlOf } from '../../suites/targets/target.ts'
import { UsageError } from '../command-error.ts'
import { readTextFile } from '../files.ts'
import { type Environment, proxyFor } from './proxy.ts'

export interface TransportFlags {
  readonly ca?: string
  readonly insecure?: boolean
}

/**
 * The connection to a URL. An http server beside an https server of the run ignores the certificate options.
 * @throws {UsageError} for options that exclude each other or have no effect, and for unreadable files
 */
export function resolveTransport(url: string, flags: TransportFlags, env: Environment, beside?: string | undefined) {
  const isOfOther = !url.startsWith('https:') && beside?.startsWith('https:') === true
  const { ca, insecure = false } = isOfOther ? {} : flags
  if (ca !== undefined && insecure) {
    throw new UsageError(
      '`--ca` and `--insecure` exclude each other.',
      'Give `--ca` to trust certain authorities, or `--insecure` to accept any certificate.',
    )
  }
  if (!url.startsWith('https:') && (ca !== undefined || insecure)) {
    throw new UsageError(
      `\`${ca === undefined ? '--insecure' : '--ca'}\` requires an https URL.`,
      'Give an https URL, or remove the option. Over http there is no certificate, and the key is sent unencrypted.',
    )
  }
  const trusted = ca === undefined ? null : readCertificates(ca)
  return { ...runningServerTransport, ca: trusted, insecure, proxy: proxyFor(url, env) }
}

function readCertificates(path: string): string {
  const text = readTextFile(path, { name: '`--ca`', hint: 'Give the path of a PEM file with certificates.' })
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? []
  if (blocks.length > 0 && blocks.every(isCertificate)) return text
  throw new UsageError(
    `\`--ca\` contains no valid certificate: ${path}.`,
    'Give a PEM file, which begins with `-----BEGIN CERTIFICATE-----`.',
  )
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0
  } catch {
    return false
  }
}

/** An example for each option that names a server, and the end of a URL that is not part of its base. */
const urlOptions = {
  '--target': { example: 'http://127.0.0.1:8443', end: '/api' },
  '--against': { example: 'http://127.0.0.1:8443', end: '/api' },
  '--platform-url': { example: 'https://api.example.com', end: '/v1' },
} as const

/** The base URL of a server. @throws {UsageError} */
export function readUrl(text: string, option: keyof typeof urlOptions): string {
  const { example, end } = urlOptions[option]
  try {
    return baseUrlOf(text, end)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new UsageError(`\`${option}\` is not a usable URL: ${reason}.`, `Give a URL like \`${example}\`.`, { cause })
  }
}
