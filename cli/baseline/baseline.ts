import type { KnownFailureRecord } from '../../reports/report.ts'

/** One failure that is known and accepted for now. */
export interface KnownFailure extends KnownFailureRecord {
  /** How it fails: see `signatureOf`. */
  readonly signature: string
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
