import type { KnownFailureRecord } from '../../reports/report.ts'

/** A failure that is known and accepted for now. */
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
