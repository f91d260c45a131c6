import type { Session } from './session.ts'

const lines = (...parts: readonly string[]) => Buffer.from(parts.join('\r\n'))

/** Where a request that is written by hand goes, and the key that it carries. */
export type Address = Pick<Session, 'address' | 'key'>

/** A request as text, for the raw client. */
export function post(
  { address, key }: Address,
  body: string,
  headers: readonly string[] = [`Content-Length: ${Buffer.byteLength(body)}`],
): Buffer {
  return lines(
    `POST ${address.prefix}/api/rules HTTP/1.1`,
    `Host: ${address.host}`,
    `X-API-Key: ${key}`,
    'Content-Type: application/json',
    ...headers,
    '',
    body,
  )
}

export function get({ address, key }: Address, path: string, headers: readonly string[] = []): Buffer {
  return lines(
    `GET ${address.prefix}${path} HTTP/1.1`,
    `Host: ${address.host}`,
    `X-API-Key: ${key}`,
    ...headers,
    '',
    '',
  )
}

export function put({ address, key }: Address, path: string): Buffer {
  const start = `PUT ${address.prefix}${path} HTTP/1.1`
  return lines(start, `Host: ${address.host}`, `X-API-Key: ${key}`, 'Content-Length: 2', '', '{}')
}
