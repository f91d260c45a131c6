import type { RawClient } from '../../client/raw.ts'
import type { Target } from '../../targets/target.ts'

/** Raw requests are written with `X-API-Key`; a server that does not know it gets the other header. */
export function withKeyHeader(raw: RawClient, keyAs: Target['keyAs']): RawClient {
  if (keyAs === undefined) return raw
  const inOther = (bytes: Buffer) =>
    Buffer.from(bytes.toString('latin1').replaceAll('\r\nX-API-Key: ', '\r\nAuthorization: Bearer '), 'latin1')
  return (request) => {
    const { bytes } = request
    return raw({ ...request, bytes: Buffer.isBuffer(bytes) ? inOther(bytes) : bytes.map(inOther) })
  }
}
