/**
 * Checks that use every way in which the kit sends something: reads, writes, raw bytes, kept
 * connections. All checks by hand, with TCK_ALL_CHECKS=1.
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
export const chosenChecks: readonly string[] =
  process.env.TCK_ALL_CHECKS === undefined ? everyWay.flatMap((id) => ['--only', id]) : []
