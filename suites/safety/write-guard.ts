import type { Client, Request } from '../client/client.ts'
import { isRead } from '../client/exchange.ts'
import { holdsOnlyReads, type RawClient, type RawResult } from '../client/raw.ts'
import type { HttpResponse } from '../client/response.ts'
import type { Ledger } from './ledger.ts'

/** How requests to a foreign server are handled. */
export interface WritePolicy<Entry> {
  readonly client: Client
  /** Null if writes are not allowed. */
  readonly ledger: Ledger<Entry> | null
  /** Records a write, sends it, and checks what it did. Throws if it must not be sent. */
  write(request: Request, ledger: Ledger<Entry>): Promise<HttpResponse>
  /** Called with the response to each read. */
  see?(request: Request, response: HttpResponse): void
}

/** The run tried to send a request that it had not announced. The request was not sent. */
export class UnannouncedRequest extends Error {
  override readonly name: string = 'UnannouncedRequest'
}

/** The run would send more writes than it announced, so it stops. */
export class TooManyWrites extends UnannouncedRequest {
  override readonly name = 'TooManyWrites'
}

/**
 * A client for a foreign server. Reads pass. A write is sent only if it is allowed and announced, and
 * is in the ledger before it is sent.
 */
export function guardWrites<Entry>({ client, ledger, write, see }: WritePolicy<Entry>): Client {
  return async (request) => {
    if (!isRead(request.method)) return write(request, requireLedger(ledger, `${request.method} ${request.path}`))
    const response = await client(request)
    see?.(request, response)
    return response
  }
}

/**
 * A client for raw bytes to a foreign server.
 *
 * @param write sends bytes that are not reads, or throws if they must not be sent
 */
export function guardRawWrites(
  raw: RawClient,
  write: (bytes: string, send: () => Promise<RawResult>) => Promise<RawResult>,
): RawClient {
  return async (request) => {
    const pieces: readonly Buffer[] = Buffer.isBuffer(request.bytes) ? [request.bytes] : request.bytes
    const texts = pieces.map((bytes) => bytes.toString('latin1'))
    const send = () => raw(request)
    return texts.every(holdsOnlyReads) ? send() : write(texts.join(''), send)
  }
}

/** Counts requests. Throws `TooManyWrites` beyond the announced number. */
export function createBudget(most: number, what: string): () => void {
  let left = most
  return () => {
    left -= 1
    if (left < 0) throw new TooManyWrites(`the run would exceed the ${most} ${what} that it announced`)
  }
}

/** A second safeguard: the plan already excludes checks that write. */
export function requireLedger<Entry>(ledger: Ledger<Entry> | null, what: string): Ledger<Entry> {
  if (ledger === null) throw new UnannouncedRequest(`${what} would write to a read-only server`)
  return ledger
}
