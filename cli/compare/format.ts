import type { Comparison } from './comparison.ts'
import type { FleetComparison } from './fleets.ts'
import type { MatrixRow } from './matrix.ts'

/** The forms of a comparison. */
export type Format = 'text' | 'md' | 'html'

/** How each kind of comparison is shown in one of them. */
export interface Rendering {
  readonly comparison: (comparison: Comparison) => string
  readonly matrix: (rows: readonly MatrixRow[], comparisons: readonly Comparison[]) => string
  readonly fleets: (fleets: FleetComparison) => string
}
