import type { Request } from './client.ts'

/** A response that is waited for. */
export interface Wait {
  /** How long, from the request on: less than usual for what is known to hang. */
  limitMs(): number
  /** What is known to hang, as a sentence; null as long as nothing is known. */
  known(): string | null
  /** Whether it never happened that such a request was answered: then it was no slow moment. */
  isSure(): boolean
  /** Something that shows only now and may be the reason if no response comes: the same sentence would name it. */
  note(hang: string): void
  /** `status` is null where the connection was closed instead. */
  ended(status: number | null): void
  hung(): void
}

/** How long responses of one server are waited for. */
export interface Waits {
  forRequest(request: Request): Wait
  /** For the response to raw bytes; `endsAfter` if the client ends its side of the connection. */
  forBytes(text: string, endsAfter: boolean): Wait
}

/** A request got no response within its time limit. */
export class TookTooLong extends Error {
  override readonly name = 'TookTooLong'
  readonly code = 'ETIMEDOUT'
}

/** A server of an https URL accepted the connection and did not take part in the handshake. */
export class NoHandshake extends Error {
  override readonly name = 'NoHandshake'
  readonly code = 'EPROTO'
  readonly reason = 'no handshake'
}

/** Every response has the same time. */
export function equalWaits(timeoutMs: number): Waits {
  const wait: Wait = {
    limitMs: () => timeoutMs,
    known: () => null,
    isSure: () => false,
    note: () => undefined,
    ended: () => undefined,
    hung: () => undefined,
  }
  return { forRequest: () => wait, forBytes: () => wait }
}

/** The hang of a request that is not the first one of its connection. */
export function laterRequest(place: number): string {
  return `request ${place} of a connection has no response`
}

/** The hang of a response that has begun. */
export function unendedResponse(status: number): string {
  return `a response with status ${status} does not end: the connection is not closed`
}
