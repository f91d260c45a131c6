import type { Detection } from './document.ts'
import { catchingChecks, type Done, type DoneWithDefect } from './matrix.ts'
import type { ApiScope } from './plan.ts'
import type { Processes } from './processes.ts'
import type { Result, SelfTestTask } from './task.ts'

/** Judges each defect again under the conditions of users' runs, by the checks that catch it in an unlimited run. */
export async function tryInRunScopes(scope: ApiScope, done: readonly Done[], processes: Processes) {
  // A defect that no check catches is reported as a survivor.
  const rows = done.filter(
    (one): one is DoneWithDefect => one.purpose === 'row' && catchingChecks(scope, one).length > 0,
  )
  const tried = rows.map(async (row) => {
    const { defect } = row
    const task = { ...row.task, requirements: defect.breaks, only: catchingChecks(scope, row) }
    const only = await failedAlone(task, processes)
    return Promise.all(
      scope.api.runScopes.map(async (runScope) => {
        const results = await processes.run({ ...task, only, scope: runScope })
        return { scope: runScope, defect: defect.id, results }
      }),
    )
  })
  return (await Promise.all(tried)).flat()
}

/**
 * The checks of the task that also fail alone, or all if none does. A check over the whole run may fail because of the
 * requests of another check.
 */
async function failedAlone(task: SelfTestTask & { readonly only: readonly string[] }, processes: Processes) {
  const results = await Promise.all(task.only.map((check) => processes.run({ ...task, only: [check] })))
  const failed = results.flat().filter(({ status }) => status === 'failed')
  return failed.length === 0 ? task.only : failed.map(({ check }) => check)
}

type Scoped = Awaited<ReturnType<typeof tryInRunScopes>>[number]

/**
 * For each kind of run: the defects that it catches, those whose checks are all out of its scope, and those that it
 * misses although a check is in scope.
 */
export function detectionOf({ api }: ApiScope, scoped: readonly Scoped[]): readonly Detection[] {
  return api.runScopes.flatMap(({ id, summary }): readonly Detection[] => {
    const tried = scoped.filter(({ scope }) => scope.id === id)
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
