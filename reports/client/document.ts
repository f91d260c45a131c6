/** The name and version of the format. Members may be added, but not changed or removed. */
export const clientReportSchema = 'copytrade-tck/client-report@1'

/** The content of a client report. */
export interface ClientReportDocument {
  readonly schema: typeof clientReportSchema
  readonly kit: { readonly name: string; readonly version: string }
  /** ISO 8601, UTC. */
  readonly startedAt: string
  readonly endedAt: string
  /** A reset begins a new part, in which request numbers restart at 1. */
  readonly parts: number
  /** The number of analysed requests in all parts. */
  readonly requests: number
  /** The number of earlier requests that the journal discarded. */
  readonly forgotten: number
  readonly mistakes: readonly {
    readonly kind: string
    /** Counted from 1. */
    readonly part: number
    /** Number of the request in its part. */
    readonly entry: number
    /** The body may be truncated. The status is null if the connection was closed without a response. */
    readonly request: {
      readonly method: string
      readonly target: string
      readonly body: string | null
      readonly status: number | null
    }
    readonly what: string
    readonly remedy: string
    readonly requirements: readonly string[]
  }[]
  /** The specified behaviours, and how often this client exercised each. */
  readonly coverage: readonly {
    readonly id: string
    readonly what: string
    readonly requirements: readonly string[]
    readonly times: number
    /** The first request that met it; null if none did. */
    readonly first: { readonly part: number; readonly entry: number } | null
  }[]
}
