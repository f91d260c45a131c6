import { isUtf8 } from 'node:buffer'
import { METHODS } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import nock from 'nock'
import type { ReceivedResponse } from '../../http/response-reader.ts'
import type { InterceptedRequest } from './inject.ts'

/** The address is not an origin. */
export class InvalidOriginError extends Error {
  override readonly name = 'InvalidOriginError'
  readonly hint = 'Use scheme, host and port only, e.g. https://plugin.example:8443.'
}

/** `CONNECT` requests a tunnel from a proxy; clients do not send it to an origin. */
const methods = METHODS.filter((method) => method !== 'CONNECT')

/**
 * Intercepts every request to `origin` before it reaches the network, and sends what `respond` returns. If `respond`
 * throws, the connection breaks. Other origins are not affected.
 * @throws InvalidOriginError
 */
export function answerOriginBy(
  origin: string,
  respond: (request: InterceptedRequest) => Promise<ReceivedResponse>,
): { readonly restore: () => void } {
  const address = normalOrigin(origin)
  const wasActive = nock.isActive()
  if (!wasActive) nock.activate()
  // A client may have imported `request` by name before nock replaced it.
  syncBuiltinESMExports()
  const scope = nock(address).persist()
  scope.on('request', keepBodyAsText)
  const interceptors = methods.map((method) => scope.intercept(() => true, method))
  for (const interceptor of interceptors) {
    interceptor.reply(async function (target, body) {
      const { status, headers, body: bytes } = await respond(interceptedRequest(this.req, target, String(body)))
      return [status, Buffer.from(bytes), headers.flat()] as unknown as nock.ReplyFnResult
    })
  }
  return {
    restore: () => {
      for (const interceptor of interceptors) nock.removeInterceptor(interceptor)
      if (wasActive) return
      nock.restore()
      syncBuiltinESMExports()
    },
  }
}

/** Normalised like a URL: in lower case, without a default port. */
function normalOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  const isHttp = url !== null && ['http:', 'https:'].includes(url.protocol)
  if (isHttp && url.href === `${url.origin}/`) return url.origin
  throw new InvalidOriginError(`Not an origin: ${text}.`)
}

/** The request that nock passes, with the headers that the client has sent. */
type NockRequest = nock.ReplyFnContext['req'] & { sentHeaders?: InterceptedRequest['headers'] }

/**
 * Nock parses a body with a JSON content type and fails if it is invalid, but the plugin must respond with 400. Nock
 * does not parse a body without a content type.
 */
function keepBodyAsText(request: NockRequest): void {
  const headers = Object.entries(request.headers)
  // A repeated header has an array as its value, although the type says string.
  request.sentHeaders = headers.flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)] as const))
  request.headers = Object.fromEntries(headers.filter(([name]) => name.toLowerCase() !== 'content-type'))
}

function interceptedRequest(request: NockRequest, target: string, text: string): InterceptedRequest {
  const headers = request.sentHeaders ?? []
  const length = headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1]
  return { method: request.method ?? 'GET', target, headers, body: bodyFrom(text, length) }
}

/**
 * Nock converts a body that is not valid UTF-8 to hexadecimal digits. `fetch` sends no length that would reveal it, but
 * the plugin rejects the digits just like the original bytes.
 */
function bodyFrom(text: string, length: string | undefined): Uint8Array {
  const bytes = Buffer.from(text, 'hex')
  const isHex = text !== '' && bytes.length * 2 === text.length && !isUtf8(bytes)
  return isHex && Number(length ?? bytes.length) === bytes.length ? bytes : Buffer.from(text)
}
