import { isUtf8 } from 'node:buffer'
import { METHODS } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import nock from 'nock'
import type { InterceptedRequest, InterceptedResponse } from './inject.ts'

export type { InterceptedResponse as HandedOut } from './inject.ts'

/** The address is no origin. */
export class InvalidOriginError extends Error {
  override readonly name = 'InvalidOriginError'
  readonly hint = 'Give scheme, host and port alone, e.g. https://plugin.example:8443.'
}

/** `CONNECT` asks a proxy for a tunnel, and clients do not send it to an origin. */
const methods = METHODS.filter((method) => method !== 'CONNECT')

/**
 * Takes every request to `origin` before it reaches the network, and lets `respond` answer it; what
 * `respond` throws breaks the connection. Requests to other origins are not touched.
 *
 * @throws InvalidOriginError
 */
export function answerOriginBy(
  origin: string,
  respond: (request: InterceptedRequest) => Promise<InterceptedResponse>,
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

/** As URLs have it: in small letters, without a port that goes without saying. */
function normalOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  const isHttp = url !== null && ['http:', 'https:'].includes(url.protocol)
  if (isHttp && url.href === `${url.origin}/`) return url.origin
  throw new InvalidOriginError(`This is no origin: ${text}.`)
}

/** What nock hands over: a client's request whose `headers` were read before it was answered. */
type NockRequest = nock.ReplyFnContext['req'] & { sentHeaders?: InterceptedRequest['headers'] }

/**
 * Nock would parse a body of type JSON, and fall over one that is none, where the plugin answers
 * 400. Without a type it leaves the body as it is.
 */
function keepBodyAsText(request: NockRequest): void {
  const headers = Object.entries(request.headers)
  // A header that was sent more than once has a list as its value, whatever the type says.
  request.sentHeaders = headers.flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)] as const))
  request.headers = Object.fromEntries(headers.filter(([name]) => name.toLowerCase() !== 'content-type'))
}

function interceptedRequest(request: NockRequest, target: string, text: string): InterceptedRequest {
  const headers = request.sentHeaders ?? []
  const length = headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1]
  return { method: request.method ?? 'GET', target, headers, body: bodyFrom(text, length) }
}

/**
 * Nock writes bytes that are no UTF-8 in hexadecimal. `fetch` tells no length that would show it, but
 * no text of such digits is a JSON object either: the plugin refuses one like the other.
 */
function bodyFrom(text: string, length: string | undefined): Uint8Array {
  const bytes = Buffer.from(text, 'hex')
  const isHex = text !== '' && bytes.length * 2 === text.length && !isUtf8(bytes)
  return isHex && Number(length ?? bytes.length) === bytes.length ? bytes : Buffer.from(text)
}
