/** `copytrade-tck/nock`: all traffic to an origin is answered by a simulator, without a port. */
import { isUtf8 } from 'node:buffer'
import { METHODS } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import nock from 'nock'
import { createSimulator, type Simulator, type SimulatorOptions } from '../index.ts'
import { handingIn, type TakenRequest } from './hand-in.ts'

export { ConnectionBrokenError } from './hand-in.ts'

/** An origin that a simulator answers for. */
export interface AnsweredOrigin extends Disposable {
  readonly simulator: Simulator
  /** Lets requests to the origin go to the network again. Other interceptions of nock stay. */
  readonly restore: () => void
}

/** The address is no origin. */
export class InvalidOriginError extends Error {
  override readonly name = 'InvalidOriginError'
  readonly hint = 'Give scheme, host and port alone, e.g. https://plugin.example:8443.'
}

/** `CONNECT` asks a proxy for a tunnel, and clients do not send it to an origin. */
const methods = METHODS.filter((method) => method !== 'CONNECT')

/**
 * Answers every request to `origin` that leaves this process by `fetch`, `http` or `https`, and all
 * libraries built on them, with a simulator: with the exact statuses, headers and bodies, 405 included.
 * Faults that break the connection reach the client as an error with code `ECONNRESET`. Requests to
 * other origins are not touched.
 *
 * @param given a simulator, started or not, or the options of one
 * @throws InvalidOriginError, InvalidOptionError, UnknownQuestionError, UnknownAnswerError
 */
export function answerOrigin(origin: string, given: Simulator | SimulatorOptions): AnsweredOrigin {
  checkOrigin(origin)
  const simulator = 'callback' in given ? given : createSimulator(given)
  const handIn = handingIn(simulator.callback())
  const wasActive = nock.isActive()
  if (!wasActive) nock.activate()
  // A client may have imported `request` by name before nock replaced it.
  syncBuiltinESMExports()
  const scope = nock(origin).persist()
  scope.on('request', takeAsText)
  const interceptors = methods.map((method) => scope.intercept(() => true, method))
  for (const interceptor of interceptors) {
    interceptor.reply(async function (target, body) {
      const answer = await handIn(taken(this.req, target, String(body)))
      return [answer.status, Buffer.from(answer.body), answer.headers.flat()] as unknown as nock.ReplyFnResult
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

function checkOrigin(text: string): void {
  if (URL.canParse(text) && [text, `${text}/`].includes(new URL(text).href) && new URL(text).pathname === '/') return
  throw new InvalidOriginError(`This is no origin: ${text}.`)
}

/** What nock hands over: a client's request whose `headers` were read before it was answered. */
type NockRequest = nock.ReplyFnContext['req'] & { sentHeaders?: TakenRequest['headers'] }

/**
 * Nock would parse a body of type JSON, and fall over one that is none, where the plugin answers
 * 400. Without a type it leaves the body as it is.
 */
function takeAsText(request: NockRequest): void {
  const headers = Object.entries(request.headers)
  // A header that was sent more than once has a list as its value, whatever the type says.
  request.sentHeaders = headers.flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)] as const))
  request.headers = Object.fromEntries(headers.filter(([name]) => name.toLowerCase() !== 'content-type'))
}

function taken(request: NockRequest, target: string, text: string): TakenRequest {
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
