import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { directTransport, type Transport } from '../../suites/client/transport.ts'
import { UsageError } from '../command-error.ts'
import { type Environment, proxyFor } from './proxy.ts'

/** What the command line says about the way to a target. */
export interface TransportFlags {
  /** Path of a file of certificates. */
  readonly ca?: string
  readonly insecure?: boolean
}

/** Certificates are asked of https servers alone: beside one, a server without them is none of their business. */
export function transportFlagsFor(url: string, { ca, insecure }: TransportFlags, beside: string | undefined) {
  const isOfOther = !url.startsWith('https:') && beside?.startsWith('https:') === true
  return isOfOther ? {} : { ...(ca === undefined ? {} : { ca }), ...(insecure === undefined ? {} : { insecure }) }
}

/**
 * The way to a URL, from the flags and from the environment.
 *
 * @throws {UsageError} for flags that exclude each other or mean nothing here, and for what cannot be read
 */
export function resolveTransport(url: string, { ca, insecure = false }: TransportFlags, env: Environment): Transport {
  if (ca !== undefined && insecure) {
    throw new UsageError(
      '--ca and --insecure exclude each other.',
      'Give --ca to trust certain authorities, --insecure to check nothing.',
    )
  }
  if (!url.startsWith('https:') && (ca !== undefined || insecure)) {
    throw new UsageError(
      `${ca === undefined ? '--insecure' : '--ca'} means nothing without https.`,
      'Over http nobody is asked for a certificate, and everybody in between can read the key: give an https URL, or leave the option out.',
    )
  }
  return { ...directTransport, ca: ca === undefined ? null : readCertificates(ca), insecure, proxy: proxyFor(url, env) }
}

function readCertificates(path: string): string {
  const text = readText(path)
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? []
  if (blocks.length > 0 && blocks.every(isCertificate)) return text
  throw new UsageError(
    `--ca holds no certificate that can be understood: ${path}.`,
    'Give a PEM file: it begins with -----BEGIN CERTIFICATE-----.',
  )
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new UsageError(
      `--ca cannot be read: ${(cause as Error).message}.`,
      'Give the path of a PEM file of certificates.',
      { cause },
    )
  }
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0
  } catch {
    return false
  }
}
