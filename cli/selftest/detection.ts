import type { Detection } from './document.ts'
import type { TriedDefect } from './matrix.ts'
import type { ApiScope } from './scope.ts'
import type { Result } from './task.ts'

/**
 * For each kind of run: the defects that it catches, those whose checks are all out of its scope, and those that it
 * misses although a check is in scope.
 */
export function detectionOf(
  { api }: Pick<ApiScope, 'api'>,
  defects: readonly Pick<TriedDefect, 'defect' | 'scoped'>[],
): readonly Detection[] {
  return api.runScopes.flatMap(({ id, summary }, place): readonly Detection[] => {
    const tried = defects.flatMap(({ defect, scoped }) =>
      scoped.slice(place, place + 1).map((results) => ({ defect: defect.id, results })),
    )
    if (tried.length === 0) return []
    const caught = tried.filter(({ results }) => results.some(({ status }) => status === 'failed'))
    const rest = tried
      .filter((one) => !caught.includes(one))
      .map(({ defect, results }) => ({ defect, reason: reasonOutOfScope(results) }))
    return [
      {
        scope: id,
        summary,
        caught: caught.map(({ defect }) => defect),
        beyond: rest.flatMap(({ defect, reason }) => (reason === null ? [] : [{ defect, reason }])),
        missed: rest.flatMap(({ defect, reason }) => (reason === null ? [defect] : [])),
      },
    ]
  })
}

/** Null if a check was in scope. */
function reasonOutOfScope(results: readonly Result[]): string | null {
  const reasons = results.map(({ status, message }) =>
    status === 'out-of-scope' || status === 'not-applicable' ? message : null,
  )
  return reasons.includes(null) ? null : (reasons[0] ?? null)
}
