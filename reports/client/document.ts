/** The name and version of the shape below; it grows, but what stands here stays. */
export const clientReportSchema = 'copytrade-tck/client-report@1'

/** What the requests to a simulator say of the client that sent them. */
export interface ClientReportDocument {
  readonly schema: typeof clientReportSchema
  readonly kit: { readonly name: string; readonly version: string }
  /** ISO 8601, UTC. */
  readonly startedAt: string
  readonly endedAt: string
  /** A reset begins a new part, in which the requests are counted anew. */
  readonly parts: number
  /** How many requests it is drawn from, in all parts. */
  readonly requests: number
  /** How many came before those, and had to make room. */
  readonly forgotten: number
  readonly mistakes: readonly {
    readonly kind: string
    /** Counted from 1. */
    readonly part: number
    /** Number of the request in its part. */
    readonly entry: number
    readonly what: string
    readonly remedy: string
    readonly requirements: readonly string[]
  }[]
  /** What the specification has in store for a client, and how often this one has met it. */
  readonly coverage: readonly {
    readonly id: string
    readonly what: string
    readonly requirements: readonly string[]
    readonly times: number
    /** Where it was met first; null for never. */
    readonly first: { readonly part: number; readonly entry: number } | null
  }[]
}
