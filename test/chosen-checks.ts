import { isProof } from '../fixtures/extent.ts'

/**
 * Checks that use every way in which the kit sends something: reads, writes, raw bytes, kept
 * connections. `npm run proof` takes all checks.
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

/** What follows `run` on the command line. */
export const chosenChecks: readonly string[] = isProof ? [] : everyWay.flatMap((id) => ['--only', id])
