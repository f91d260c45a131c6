/** One HTTP message as sent or received, with secrets redacted. */
export interface Message {
  /** In order; repeated names stay separate. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** The body as text; null if there is none. Long bodies are truncated, with a note at the end. */
  readonly body: string | null
}

export interface Exchange {
  /** Unique within a run, e.g. `x17`. Numbered in the order in which the exchanges ended. */
  readonly id: string
  /** ISO 8601, UTC. */
  readonly startedAt: string
  readonly durationMs: number
  readonly request: Message & { readonly method: string; readonly url: string }
  /** Null without a response; `failure` says why. `reason` is the reason phrase, if it is not the standard one. */
  readonly response: (Message & { readonly status: number; readonly reason?: string }) | null
  readonly failure: string | null
}

export function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
}

const documented: readonly (readonly [operation: string, pattern: RegExp])[] = [
  ['GET /api/status', /^GET .*\/api\/status$/],
  ['GET /api/rules', /^GET .*\/api\/rules$/],
  ['POST /api/rules', /^POST .*\/api\/rules$/],
  ['DELETE /api/rules/{index}', /^DELETE .*\/api\/rules\/\d+$/],
  ['GET /v1/account', /^GET .*\/v1\/account$/],
  ['POST /v1/trading-accounts', /^POST .*\/v1\/trading-accounts$/],
  ['GET /v1/trading-accounts', /^GET .*\/v1\/trading-accounts$/],
]

/** The documented operation of an exchange, e.g. `DELETE /api/rules/{index}`; null if there is none. */
export function operationOf({ request: { method, url } }: Exchange): string | null {
  const [address = ''] = url.split(/[?#]/, 1)
  return documented.find(([, pattern]) => pattern.test(`${method} ${address}`))?.[0] ?? null
}
