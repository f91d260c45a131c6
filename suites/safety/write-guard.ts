import type { Client } from '../client/client.ts'
import { isRead } from '../client/exchange.ts'
import { holdsOnlyReads, piecesOf, type RawClient, type RawResult } from '../client/raw.ts'

/** The run tried to send a request that it had not announced. The request was not sent. */
export class UnannouncedRequest extends Error {
  override readonly name = 'UnannouncedRequest'
}

/** A client for a foreign server. `write` records, sends and checks writes, or throws if one must not be sent. */
export function guardWrites(read: Client, ledger: unknown, write: Client): Client {
  return async (request) => {
    if (isRead(request.method)) return read(request)
    requireLedger(ledger, `${request.method} ${request.path}`)
    return write(request)
  }
}

/** The same for raw bytes. */
export function guardRawWrites(
  raw: RawClient,
  ledger: unknown,
  write: (bytes: string, send: () => Promise<RawResult>) => Promise<RawResult>,
): RawClient {
  return async (request) => {
    const texts = piecesOf(request).map((bytes) => bytes.toString('latin1'))
    const send = () => raw(request)
    if (texts.every(holdsOnlyReads)) return send()
    requireLedger(ledger, 'a request of raw bytes')
    return write(texts.join(''), send)
  }
}

/** Counts requests. Throws `UnannouncedRequest` beyond the announced number. */
export function createBudget(most: number, what: string): () => void {
  let left = most
  return () => {
    left -= 1
    if (left < 0) throw new UnannouncedRequest(`the run would exceed the ${most} ${what} that it announced`)
  }
}

/** A second safeguard: the plan already excludes checks that write. */
function requireLedger(ledger: unknown, what: string): void {
  if (ledger === null) throw new UnannouncedRequest(`${what} would write to a read-only server`)
}
