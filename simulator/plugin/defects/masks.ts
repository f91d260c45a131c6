import type { Mask } from './defect.ts'

/** Silent choices that hide more than one defect, with the reason. */

const rejectsIndexQueries = { 'plugin.index.query': 'refused' } as const

/** A request with a query string is refused in any case, whether the key in it was read or not. */
export const queriesRejected: readonly Mask[] = [
  { answers: { 'plugin.path.query': 'refused', ...rejectsIndexQueries } },
  { answers: { 'plugin.path.query': 'unknown', ...rejectsIndexQueries } },
]

/** The index 0 is that of no rule. */
export const countedFromOne: readonly Mask[] = [{ answers: { 'plugin.index.base': '1' } }]

/** A value that is next to nothing is refused, and 0 with it. */
export const smallValuesRejected: readonly Mask[] = [{ answers: { 'plugin.value.smallest': 'refused' } }]

/** A rule whose master is its follower is refused for that. */
export const selfCopyRejected: readonly Mask[] = [{ answers: { 'plugin.add.self-copy': 'refused' } }]

/** A rule that is there already is refused. */
export const duplicatesRejected: readonly Mask[] = [{ answers: { 'plugin.add.duplicate': 'refused' } }]

/** A second rule for a master and a follower is refused. */
export const samePairRejected: readonly Mask[] = [{ answers: { 'plugin.add.same-pair': 'refused' } }]
