import type { IncomingMessage } from 'node:http'
import type { ErrorResponse } from './error-response.ts'

/** A request whose head has arrived, with its target as it was sent. */
export type ReceivedRequest = ReturnType<typeof receive>

interface ReceiveHooks {
  readonly missingHost: () => ErrorResponse
  readonly splitTarget: (target: string) => { readonly path: string; readonly query: string }
}

/** The stage `receive`: parses the request target and headers. HTTP/1.1 requires a Host header (RFC 9112, 3.2). */
export function receive(request: IncomingMessage, { hooks }: { readonly hooks: ReceiveHooks }) {
  const { method = '', url: target = '', headers } = request
  if (request.httpVersion === '1.1' && headers.host === undefined) throw hooks.missingHost()
  return { method, target, ...hooks.splitTarget(target), headers }
}
