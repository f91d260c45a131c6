import { setTimeout as pause } from 'node:timers/promises'
import { expectErrorResponse, expectExactly, expectThat, failure } from '../assertions/expect.ts'
import { after } from '../assertions/failure.ts'
import { isTimeout } from '../client/failure-reason.ts'
import type { RawResult } from '../client/raw.ts'
import { type HttpResponse, orNull } from '../client/response.ts'
import type { Session } from './session.ts'

/** The destination and the key of a raw request. */
export type Address = Pick<Session, 'address' | 'key'>

export function addressOf(url: string): Address['address'] {
  const { origin, host, pathname } = new URL(url)
  return { origin, host, prefix: pathname.replace(/\/$/, '') }
}

type Target = readonly [method: string, path: string]

/** A request as bytes. The parts are its other headers, and the body after an empty one. */
export function rawRequest({ host, prefix }: Address['address'], [method, path]: Target, parts: readonly string[]) {
  return Buffer.from([`${method} ${prefix}${path} HTTP/1.1`, `Host: ${host}`, ...parts].join('\r\n'))
}

function written({ address, key }: Address, target: Target, parts: readonly string[]) {
  // Without this header a server may compress the body (RFC 9110, section 12.5.3).
  return rawRequest(address, target, [`X-API-Key: ${key}`, 'Accept-Encoding: identity', ...parts])
}

const lengthOf = (body: string) => `Content-Length: ${Buffer.byteLength(body)}`

export function post(to: Address, body: string, headers: readonly string[] = [lengthOf(body)]): Buffer {
  return written(to, ['POST', '/api/rules'], ['Content-Type: application/json', ...headers, '', body])
}

export function get(to: Address, path: string, headers: readonly string[] = [], method = 'GET'): Buffer {
  return written(to, [method, path], [...headers, '', ''])
}

export const asHttp10 = (bytes: Buffer): Buffer => Buffer.from(bytes.toString().replace(' HTTP/1.1', ' HTTP/1.0'))

export function withBody(to: Address, target: Target, body: string, headers: readonly string[] = [lengthOf(body)]) {
  return written(to, target, [...headers, '', body])
}

/** The response to a single request; `undefined` if the connection ended without one. */
export async function responseTo({ raw }: Pick<Session, 'raw'>, bytes: Buffer): Promise<HttpResponse | undefined> {
  const [response] = (await raw({ bytes, responses: 1 })).responses
  return response
}

export const inTwoChunks = (body: string): string => inChunks([body.slice(0, 10), body.slice(10)])

/** How chunks are written, if not in the usual way. */
export interface ChunkStyle {
  readonly size?: (hexadecimal: string) => string
  readonly trailer?: string
}

export function inChunks(
  parts: readonly string[],
  { size = (hexadecimal) => hexadecimal, trailer = '' }: ChunkStyle = {},
): string {
  const chunks = parts.map((part) => `${size(part.length.toString(16))}\r\n${part}\r\n`)
  return `${chunks.join('')}0\r\n${trailer}\r\n`
}

/** Headers of a request with such a body, and of the last request on a connection. */
export const chunked = ['Transfer-Encoding: chunked'] as const
export const lastOne = ['Connection: close'] as const

/** Why chunks are not judged after a 411 (RFC 9112, section 6.3). */
export const demandsLength = 'the server demands Content-Length (411), as HTTP allows'

export const postInChunks = (to: Address, parts: readonly string[]): Buffer => post(to, inChunks(parts), chunked)

/** The expected results of requests on a connection until the server closed it, which it may do if it announces that. */
export function untilClosed<Result>(
  { responses, saidClose }: Pick<RawResult, 'responses' | 'saidClose'>,
  expected: readonly Result[],
): readonly Result[] {
  return saidClose ? expected.slice(0, responses.length) : expected
}

/** Sends requests of which the last one ends the connection, and reads until the server closes it. */
function untilItCloses({ raw }: Pick<Session, 'raw'>, ...bytes: readonly Buffer[]): Promise<RawResult> {
  return raw({ bytes, responses: bytes.length, untilClosed: true })
}

/** What follows the headers of a final response. */
const afterHead = /^(?:HTTP\/1\.\d 1\d\d.*?\r\n\r\n)*.*?\r\n\r\n(.*)$/s

/** Expects that the response to a HEAD request has no body. */
export async function expectNoBody(what: string, session: Pick<Session, 'raw'>, head: Buffer): Promise<void> {
  const { bytes } = await untilItCloses(session, head)
  const body = afterHead.exec(bytes.toString())?.[1] ?? ''
  await after(what, () => expectExactly('body.in-response-to-head', body, ''))
}

/** Expects that the server closes the connection after the response to the last of these requests. */
export async function expectClosed(what: string, session: Pick<Session, 'raw'>, ...bytes: readonly Buffer[]) {
  const isClosed = (await untilItCloses(session, ...bytes)).end === 'closed'
  await after(what, () => expectThat(isClosed, 'connection.left-open', { difference: null }))
}

/** Expects a response to a head with `Expect: 100-continue`, or the end of the connection, before its body is sent. */
export async function expectContinued({ raw }: Pick<Session, 'raw'>, bytes: Buffer): Promise<void> {
  for (const waitMs of [300, 5_000]) {
    const result = await raw({ bytes, responses: 1, untilClosed: true, meanwhile: () => pause(waitMs) })
    if (result.bytes.length > 0 || result.end === 'closed') return
  }
  throw failure('response.missing', { reason: 'neither 100 Continue nor an error response', difference: null })
}

/** Runs `meanwhile` while each of these incomplete requests occupies a connection. */
export async function whileStalled(
  { raw }: Pick<Session, 'raw'>,
  [first, ...others]: readonly Buffer[],
  meanwhile: () => Promise<void>,
): Promise<void> {
  if (first === undefined) return meanwhile()
  await raw({ bytes: first, responses: 1, meanwhile: () => whileStalled({ raw }, others, meanwhile) })
}

/** Expects that a raw request is rejected, or that the connection ends without a response. */
export async function expectRejectedOrClosed(session: Pick<Session, 'raw'>, bytes: Buffer): Promise<void> {
  const response = await responseTo(session, bytes)
  if (response !== undefined) expectErrorResponse(response)
}

/** The response; null if the connection was closed, which rejects a request too. Throws `NoResponse` for a timeout. */
export const responseOrClosed = <Response>(sent: Promise<Response>) => orNull(sent, (reason) => !isTimeout(reason))
