import { expectedKills } from './api.ts'
import type { Detection } from './document.ts'
import type { Done } from './matrix.ts'
import type { ApiScope } from './scope.ts'
import type { Result } from './task.ts'

type Scoped = Extract<Done, { purpose: 'scoped' }>

/**
 * For each run of a user: the defects that it catches, those that it cannot see because every check that
 * catches them is out of its scope, and those that it misses all the same.
 */
export function detectionOf({ api }: ApiScope, done: readonly Done[]): readonly Detection[] {
  const catching = new Map(done.flatMap((one) => (one.purpose === 'row' ? [[one.defect.id, failedChecks(one)]] : [])))
  return api.runScopes.flatMap(({ id, summary }): readonly Detection[] => {
    const inScope = done.flatMap((one) => (one.purpose === 'scoped' && one.scope.id === id ? [one] : []))
    // Under the default answers nothing can be seen of a defect that they mask.
    const judged = inScope.filter(({ defect }) => expectedKills(api, defect, {}).due.length > 0)
    if (judged.length === 0) return []
    const caught = judged.filter(hasFailed)
    const rest = judged.filter((one) => !hasFailed(one))
    const reasons = rest.map((one) => ({ defect: one.defect.id, reason: hiddenBy(one, catching) }))
    return [
      {
        scope: id,
        summary,
        caught: caught.map(({ defect }) => defect.id),
        beyond: reasons.flatMap(({ defect, reason }) => (reason === null ? [] : [{ defect, reason }])),
        missed: reasons.flatMap(({ defect, reason }) => (reason === null ? [defect] : [])),
      },
    ]
  })
}

/** The checks that catch the defect where everything may be done. */
function failedChecks({ results, alone }: Done): ReadonlySet<string> {
  return new Set([...results, ...alone].filter(isFailure).map(({ check }) => check))
}

function hasFailed({ results }: Scoped): boolean {
  return results.some(isFailure)
}

function isFailure({ status }: Result): boolean {
  return status === 'failed'
}

/** Why no check that catches the defect is in scope; null if one is. */
function hiddenBy({ defect, results }: Scoped, catching: ReadonlyMap<string, ReadonlySet<string>>): string | null {
  const able = results.filter(({ check }) => catching.get(defect.id)?.has(check))
  const reasons = able.map(({ status, message }) =>
    status === 'out-of-scope' || status === 'not-applicable' ? message : null,
  )
  return reasons.includes(null) ? null : (reasons[0] ?? null)
}
