import type { Mask } from './defect.ts'

/** Profile answers that mask more than one defect, with the reason. */

/** A request to a path without an index that has a query string is rejected anyway. */
export const pathQueriesRejected: readonly Mask[] = (['refused', 'unknown'] as const).map((answer) => ({
  answers: { 'plugin.path.query': answer },
}))

/** A request with a query string is rejected anyway, whether or not the key in it was read. */
export const queriesRejected: readonly Mask[] = pathQueriesRejected.map(({ answers }) => ({
  answers: { ...answers, 'plugin.index.query': 'refused' },
}))

/** The index 0 has no rule. */
export const countedFromOne: readonly Mask[] = [{ answers: { 'plugin.index.base': '1' } }]

/** A value close to 0 is rejected, and 0 as well. */
export const smallValuesRejected: readonly Mask[] = [{ answers: { 'plugin.value.smallest': 'refused' } }]

/** A rule that copies an account to itself is rejected anyway. */
export const selfCopyRejected: readonly Mask[] = [{ answers: { 'plugin.add.self-copy': 'refused' } }]

/** A duplicate rule is rejected anyway. */
export const duplicatesRejected: readonly Mask[] = [{ answers: { 'plugin.add.duplicate': 'refused' } }]

/** A second rule for the same master and follower is rejected anyway, unless it is identical. */
export const samePairRejected: readonly Mask[] = [{ answers: { 'plugin.add.same-pair': 'refused' } }]

/** A second rule for the same master and follower is rejected anyway, also an identical one. */
export const everyPairOnce: readonly Mask[] = [
  { answers: { 'plugin.add.same-pair': 'refused', 'plugin.add.duplicate': 'refused' } },
]
