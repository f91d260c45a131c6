import { generateKeyPairSync, sign } from 'node:crypto'

export interface CertificateOptions {
  /** Host names. */
  readonly names?: readonly string[]
  /** IPv4 addresses. */
  readonly addresses?: readonly string[]
  /** When the certificate expires, in ASN.1 format: YYMMDDhhmmssZ. */
  readonly until?: string
}

/** A new key with a self-signed certificate, in PEM. */
export function selfSigned({
  names = ['localhost'],
  addresses = ['127.0.0.1'],
  until = '491231000000Z',
}: CertificateOptions = {}): { readonly key: string; readonly cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = der(0x30, Buffer.from('06082a8648ce3d040302', 'hex'))
  const name = der(0x30, der(0x31, der(0x30, Buffer.from('0603550403', 'hex'), der(0x0c, Buffer.from('a plugin')))))
  const validity = der(0x30, utcTime('200101000000Z'), utcTime(until))
  const version = der(0xa0, der(0x02, Buffer.from([2])))
  const serial = der(0x02, Buffer.from([1]))
  const subjectKey = publicKey.export({ type: 'spki', format: 'der' })
  const holders = [
    ...names.map((text) => der(0x82, Buffer.from(text))),
    ...addresses.map((text) => der(0x87, Buffer.from(text.split('.').map(Number)))),
  ]
  const alternativeNames = der(0x30, Buffer.from('0603551d11', 'hex'), der(0x04, der(0x30, ...holders)))
  const extensions = der(0xa3, der(0x30, alternativeNames))
  const body = der(0x30, version, serial, algorithm, name, validity, name, subjectKey, extensions)
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, privateKey))
  const lines =
    der(0x30, body, algorithm, signature)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
  }
}

function utcTime(text: string): Buffer {
  return der(0x17, Buffer.from(text))
}

/** An ASN.1 value with its tag and its length. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  const length = body.length < 128 ? [body.length] : [0x82, body.length >> 8, body.length & 255]
  return Buffer.concat([Buffer.from([tag, ...length]), body])
}
