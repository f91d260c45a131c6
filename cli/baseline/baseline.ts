/** One failure that is known and accepted for now. */
export interface KnownFailure {
  /** Id of the check that fails. */
  readonly check: string
  /** Why it is accepted. */
  readonly reason: string
  /** How it fails: see `signatureOf`. */
  readonly signature: string
  /** Who is responsible for it; null if not stated. */
  readonly owner: string | null
  /** The last day on which it is accepted, `YYYY-MM-DD` in UTC; null if it never expires. */
  readonly expires: string | null
}

/** A file of known failures, as `--baseline` reads it and `copytrade-tck baseline` writes it. */
export interface Baseline {
  readonly schema: typeof baselineSchema
  readonly knownFailures: readonly KnownFailure[]
}

/** Name and version of the format. */
export const baselineSchema = 'copytrade-tck/baseline@2'

/** The version before, whose signatures were made of messages and cannot be compared any more. */
export const olderBaselineSchema = 'copytrade-tck/baseline@1'

/** In place of a signature of the older version: a merge writes the present one. */
export const outdatedSignature = 'outdated'
