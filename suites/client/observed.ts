import type { Client, Request } from './client.ts'
import type { RawClient, RawRequest, RawResult } from './raw.ts'
import type { HttpResponse } from './response.ts'

/** A request or raw bytes that were sent to the server at this base URL. */
export type Sent = { readonly url: string } & (
  | { readonly kind: 'request'; readonly request: Request }
  | { readonly kind: 'bytes'; readonly request: RawRequest }
)

/** The result, or the error that was thrown. */
export type Received =
  | { readonly kind: 'response'; readonly response: HttpResponse }
  | { readonly kind: 'bytes'; readonly result: RawResult }
  | { readonly kind: 'error'; readonly error: unknown }

/**
 * Called before everything that is sent, which it prevents if it throws. The returned function is called with the
 * result. An observer sends nothing.
 */
export type Observer = (sent: Sent) => (received: Received) => void

/** Adds observers to clients, for all that they send to the server at a base URL. */
export function observed(url: string, clients: { client: Client; raw: RawClient }, observers: readonly Observer[]) {
  const tell = async <Result>(sent: Sent, send: () => Promise<Result>, received: (result: Result) => Received) => {
    const ends = observers.map((observe) => observe(sent))
    const end = (what: Received) => {
      for (const notifyEnd of ends) notifyEnd(what)
    }
    const result = await send().catch((error: unknown) => {
      end({ kind: 'error', error })
      throw error
    })
    end(received(result))
    return result
  }
  const client: Client = (request) =>
    tell(
      { url, kind: 'request', request },
      () => clients.client(request),
      (response) => ({ kind: 'response', response }),
    )
  const raw: RawClient = (request) =>
    tell(
      { url, kind: 'bytes', request },
      () => clients.raw(request),
      (result) => ({ kind: 'bytes', result }),
    )
  return { client, raw }
}
