import type { Answers, Mask } from './defect.ts'

/** Silent choices that hide more than one defect, with the reason. */

const rejectsIndexQueries = { 'plugin.index.query': 'refused' } as const

/** A request with a query string is refused in any case, whether the key in it was read or not. */
export const queriesRejected: readonly Mask[] = [
  { answers: { 'plugin.path.query': 'refused', ...rejectsIndexQueries } },
  { answers: { 'plugin.path.query': 'unknown', ...rejectsIndexQueries } },
]

/** The index 0 is that of no rule. */
export const countedFromOne = maskedWhere({ 'plugin.index.base': '1' })

/** A value that is next to nothing is refused, and 0 with it. */
export const smallValuesRejected = maskedWhere({ 'plugin.value.smallest': 'refused' })

/** A rule whose master is its follower is refused for that. */
export const selfCopyRejected = maskedWhere({ 'plugin.add.self-copy': 'refused' })

/** A rule that is there already is refused. */
export const duplicatesRejected = maskedWhere({ 'plugin.add.duplicate': 'refused' })

/** A second rule for a master and a follower is refused. */
export const samePairRejected = maskedWhere({ 'plugin.add.same-pair': 'refused' })

function maskedWhere(answers: Answers): readonly Mask[] {
  return [{ answers }]
}
