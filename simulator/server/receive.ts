import type { IncomingMessage } from 'node:http'
import type { ErrorResponse, Rejection, RequestPart } from './response.ts'

/** A request whose head has arrived, with its target as it was sent. */
export type ReceivedRequest = ReturnType<typeof receive>

interface ReceiveHooks {
  readonly missingHost: () => ErrorResponse
  readonly splitTarget: (target: string) => { readonly path: string; readonly query: string }
}

/** The stage `receive`: parses the request target and headers. HTTP/1.1 requires a Host header (RFC 9112, 3.2). */
export function receive(request: IncomingMessage, { hooks }: { readonly hooks: ReceiveHooks }) {
  const { method = '', url: target = '', headers, httpVersion } = request
  if (httpVersion === '1.1' && headers.host === undefined) throw hooks.missingHost()
  return { method, target, httpVersion, ...hooks.splitTarget(target), headers }
}

/** The sender of a request, and what may be disclosed to it. */
export type Caller = ReturnType<typeof createCaller>

export function createCaller(
  authorized: boolean,
  disclosedWithoutAuth: readonly RequestPart[],
  unauthorized: () => ErrorResponse,
) {
  const isDisclosed = (part?: RequestPart) => authorized || (part !== undefined && disclosedWithoutAuth.includes(part))
  return {
    authorized,
    /** Throws the rejection, or 401 if the rejection must not be disclosed to this caller. */
    reject: (part: RequestPart, errorResponse: Rejection): never => {
      throw isDisclosed(part) ? errorResponse : unauthorized()
    },
    /** Throws 401 unless the caller is authorized, or the part may be disclosed without authentication. */
    requireAuthorization: (part?: RequestPart) => {
      if (!isDisclosed(part)) throw unauthorized()
    },
  }
}
