import type { Answers, Hiding } from './defect.ts'

/** Silent choices that hide more than one defect, with the reason. */

const refusesQueriesOfIndices = { 'plugin.index.query': 'refused' } as const

/** A request with a query string is refused in any case, whether the key in it was read or not. */
export const queriesRefused: readonly Hiding[] = [
  { answers: { 'plugin.path.query': 'refused', ...refusesQueriesOfIndices } },
  { answers: { 'plugin.path.query': 'unknown', ...refusesQueriesOfIndices } },
]

/** The index 0 is that of no rule. */
export const countedFromOne = hiddenWhere({ 'plugin.index.base': '1' })

/** A value that is next to nothing is refused, and 0 with it. */
export const smallValuesRefused = hiddenWhere({ 'plugin.value.smallest': 'refused' })

/** A rule whose master is its follower is refused for that. */
export const selfCopyRefused = hiddenWhere({ 'plugin.add.self-copy': 'refused' })

/** A rule that is there already is refused. */
export const duplicatesRefused = hiddenWhere({ 'plugin.add.duplicate': 'refused' })

/** A second rule for a master and a follower is refused. */
export const samePairRefused = hiddenWhere({ 'plugin.add.same-pair': 'refused' })

function hiddenWhere(answers: Answers): readonly Hiding[] {
  return [{ answers }]
}
