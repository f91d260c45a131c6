import { type ClientOptions, createClient, type PersistentClient } from './client.ts'
import { createPace } from './pace.ts'
import { createRecorder } from './recorder.ts'
import { directTransport } from './transport.ts'

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
