import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { PlatformService } from '../service.ts'

/** A request whose head has arrived. */
export interface ReceivedRequest {
  readonly method: string
  /** The request target as it was sent. */
  readonly target: string
  readonly path: string
  readonly query: string
  readonly headers: IncomingHttpHeaders
  /** The address of the client; undefined where the connection is none of the network. */
  readonly address: string | undefined
}

/** Takes the head of the request apart; HTTP/1.1 demands a Host header (RFC 9112, 3.2). */
export function receive(request: IncomingMessage, { hooks }: PlatformService): ReceivedRequest {
  const { method = '', url: target = '', headers } = request
  if (request.httpVersion === '1.1' && headers.host === undefined) throw hooks.missingHost()
  return { method, target, ...hooks.splitTarget(target), headers, address: request.socket?.remoteAddress }
}
