/** The name and version of the shape below; it grows, but what stands here stays. */
export const clientReportSchema = 'copytrade-tck/client-report@1'

/** What the requests to a simulator say of the client that sent them. */
export interface ClientReportDocument {
  readonly schema: typeof clientReportSchema
  readonly kit: { readonly name: string; readonly version: string }
  /** ISO 8601, UTC. */
  readonly startedAt: string
  readonly endedAt: string
  /** How many requests it is drawn from. */
  readonly requests: number
  /** How many came before those, and had to make room. */
  readonly forgotten: number
  readonly mistakes: readonly {
    readonly kind: string
    /** Number of the request. */
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
    readonly firstEntry: number | null
  }[]
}
