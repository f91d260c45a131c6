/** `copytrade-tck/nock`: a simulator responds to all requests to an origin, without a port. */
import { isUtf8 } from 'node:buffer'
import { METHODS } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import nock from 'nock'
import { createSimulator, InvalidOptionError, type Simulator, type SimulatorOptions } from '../index.ts'
import { createInjector, type InterceptedRequest } from './inject.ts'

export { ConnectionBrokenError } from './inject.ts'

/** `CONNECT` requests a tunnel from a proxy; clients do not send it to an origin. */
const methods = METHODS.filter((method) => method !== 'CONNECT')

/** An origin for which a simulator responds. */
export interface AnsweredOrigin extends Disposable {
  readonly simulator: Simulator
  /** Lets requests to the origin reach the network again. Other nock interceptors stay. */
  readonly restore: () => void
}

/**
 * Lets a simulator respond to every request to `origin` that this process sends with `fetch`, `http` or
 * `https`, or a library built on them, with the exact statuses, headers and bodies, 405 included.
 * Faults that break the connection reach the client as an error with code `ECONNRESET`. Requests to
 * other origins are not touched.
 *
 * @param given a simulator, started or not, or the options of one
 * @throws InvalidOptionError, UnknownQuestionError, UnknownAnswerError
 */
export function answerOrigin(origin: string, given: Simulator | SimulatorOptions): AnsweredOrigin {
  const simulator = 'callback' in Object(given) ? (given as Simulator) : createSimulator(given)
  const inject = createInjector(simulator.callback())
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
      const { status, headers, body: bytes } = await inject(interceptedRequest(this.req, target, String(body)))
      return [status, Buffer.from(bytes), headers.flat()] as unknown as nock.ReplyFnResult
    })
  }
  const restore = () => {
    for (const interceptor of interceptors) nock.removeInterceptor(interceptor)
    if (wasActive) return
    nock.restore()
    syncBuiltinESMExports()
  }
  return { simulator, restore, [Symbol.dispose]: restore }
}

/** Normalised like a URL: in lower case, without a default port. */
function normalOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  const isHttp = url !== null && ['http:', 'https:'].includes(url.protocol)
  if (isHttp && url.href === `${url.origin}/`) return url.origin
  throw new InvalidOptionError('origin', 'scheme, host and port only, such as https://plugin.example:8443')
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
