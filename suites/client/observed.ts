import { type Client, isOfReusedConnection } from './client.ts'
import { isTimeout } from './failure-reason.ts'
import type { RawClient, RawRequest } from './raw.ts'
import type { Request } from './request.ts'
import { type HttpResponse, NoResponse } from './response.ts'

/** A request or raw bytes that were sent to the server at this base URL. */
export type Sent = { readonly url: string } & (
  | { readonly kind: 'request'; readonly request: Request }
  | { readonly kind: 'bytes'; readonly request: RawRequest }
)

export interface Received {
  /** At most one to a request. */
  readonly responses: readonly HttpResponse[]
  /** Set if the connection ended before the last expected response. */
  readonly broken: { readonly isTimeout: boolean; readonly isKnownHang: boolean; readonly isReused?: boolean } | null
}

/** Called before everything that is sent, which it prevents if it throws. Returns what is called with the result. */
export type Observer = (sent: Sent) => (received: Received) => void

/** Adds observers to clients, for all that they send to the server at a base URL. */
export function observed(url: string, clients: { client: Client; raw: RawClient }, observers: readonly Observer[]) {
  const notify = async <Result>(sent: Sent, send: () => Promise<Result>, received: (result: Result) => Received) => {
    const ends = observers.map((observe) => observe(sent))
    const result = send()
    const seen = await result.then(received, withoutResponse)
    for (const end of ends) end(seen)
    return result
  }
  const client: Client = (request) => {
    const send = () => clients.client(request)
    return notify({ url, kind: 'request', request }, send, (response) => ({ responses: [response], broken: null }))
  }
  const raw: RawClient = (request) => {
    const send = () => clients.raw(request)
    return notify({ url, kind: 'bytes', request }, send, ({ responses, end, isKnownHang = false }) => {
      return { responses, broken: end === 'answered' ? null : { isTimeout: end === 'timeout', isKnownHang } }
    })
  }
  return { client, raw }
}

function withoutResponse(error: unknown): Received {
  if (!(error instanceof NoResponse)) return { responses: [], broken: null }
  const { isKnownHang, cause } = error
  return { responses: [], broken: { isTimeout: isTimeout(error), isKnownHang, isReused: isOfReusedConnection(cause) } }
}
