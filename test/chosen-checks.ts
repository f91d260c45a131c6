import { isProof } from '../fixtures/test-size.ts'

/**
 * Checks that together use every way of sending: reads, writes, raw bytes, persistent connections. `npm run proof` runs
 * all checks.
 */
const everyWay = [
  'plugin.status.*',
  'plugin.delete.ok',
  'plugin.sequence.list',
  'plugin.http.*',
  'plugin.robust.survives',
  'plugin.method.*',
  'CT-871',
]

/** The arguments after `run`. */
export const chosenChecks: readonly string[] = isProof ? [] : everyWay.flatMap((id) => ['--only', id])
