import type { Client, Request } from './client.ts'
import type { RawClient, RawRequest, RawResult } from './raw.ts'
import type { HttpResponse } from './response.ts'

/** A request or raw bytes that were sent to the server at this base URL. */
export type Sent = { readonly url: string } & (
  | { readonly kind: 'request'; readonly request: Request }
  | { readonly kind: 'bytes'; readonly request: RawRequest }
)

export type Received =
  | { readonly kind: 'response'; readonly response: HttpResponse }
  | { readonly kind: 'bytes'; readonly result: RawResult }
  | { readonly kind: 'error'; readonly error: unknown }

/** Called before everything that is sent, which it prevents if it throws. Returns what is called with the result. */
export type Observer = (sent: Sent) => (received: Received) => void

/** Adds observers to clients, for all that they send to the server at a base URL. */
export function observed(url: string, clients: { client: Client; raw: RawClient }, observers: readonly Observer[]) {
  const notify = async <Result>(sent: Sent, send: () => Promise<Result>, received: (result: Result) => Received) => {
    const ends = observers.map((observe) => observe(sent))
    const result = send()
    const seen = await result.then(received, (error: unknown) => ({ kind: 'error', error }) as const)
    for (const end of ends) end(seen)
    return result
  }
  const client: Client = (request) => {
    const send = () => clients.client(request)
    return notify({ url, kind: 'request', request }, send, (response) => ({ kind: 'response', response }))
  }
  const raw: RawClient = (request) => {
    const send = () => clients.raw(request)
    return notify({ url, kind: 'bytes', request }, send, (result) => ({ kind: 'bytes', result }))
  }
  return { client, raw }
}
