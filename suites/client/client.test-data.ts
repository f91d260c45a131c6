import { type ClientOptions, createClient, type PersistentClient } from './client.ts'
import type { Exchange } from './exchange.ts'
import { createRecorder } from './recorder.ts'
import { decodeBody, type HttpResponse } from './response.ts'
import { directTransport } from './transport.ts'
import { createPace } from './wait.ts'

/** A client for tests: no rate limit, no redaction, and by default its own recorder. */
export function clientFor(baseUrl: string, options: Partial<ClientOptions> = {}): PersistentClient {
  return createClient({
    baseUrl,
    transport: directTransport,
    timeoutMs: 5_000,
    pace: createPace(Number.POSITIVE_INFINITY),
    recorder: createRecorder((text) => text),
    ...options,
  })
}

/** A response that a check judges. */
export function responseOf(
  status: number,
  headers: Readonly<Record<string, string>>,
  bytes: Buffer,
  exchange: Exchange,
): HttpResponse {
  return { status, reason: '', headers, ...decodeBody(bytes), exchange }
}
