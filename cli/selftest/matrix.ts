import { expectedKills } from './api.ts'
import type { ApiMatrix, CombinedRow, DefectRow, Kill, RequirementColumn } from './document.ts'
import type { Planned, TaskPlan } from './plan.ts'
import type { ApiScope } from './scope.ts'
import type { Result } from './task.ts'
import { violationKind } from './violation.ts'

/**
 * A planned task that was run. `alone`: the requirements that had missed a defect in the whole run,
 * each judged once more on a server of its own; a defect may show in some state of a server only, and
 * the checks before may have brought it beyond that.
 */
export type Done = Planned & { readonly results: readonly Result[]; readonly alone: readonly Result[] }

/** The statuses of the checks of each requirement. */
export type ByRequirement = ReadonlyMap<string, ReadonlySet<string>>

/** Of each requirement, what its checks have come to. */
export function byRequirement({ api }: ApiScope, results: readonly Result[]): ByRequirement {
  const requirementOf = new Map(api.checks.map(({ id, requirement }) => [id, requirement]))
  const statuses = new Map<string, Set<string>>()
  for (const { check, status } of results) {
    const requirement = requirementOf.get(check)
    if (requirement !== undefined) {
      statuses.set(requirement, (statuses.get(requirement) ?? new Set()).add(status))
    }
  }
  return statuses
}

/** The kill matrix of what was run. */
export function buildMatrix(scope: ApiScope, { profiles }: TaskPlan, done: readonly Done[]): ApiMatrix {
  const combined = new Map(
    done.flatMap((one) => (one.purpose === 'combined' ? [[one.defect.id, combinedRow(scope, one)]] : [])),
  )
  const defects = done.flatMap((one) =>
    one.purpose === 'row' ? [{ ...row(scope, one), combined: combined.get(one.defect.id) ?? null }] : [],
  )
  const alarms = done.flatMap((one) => (one.purpose === 'right' ? [alarmsIn(scope, one)] : []))
  const requirements = scope.api.requirements
    .filter(({ id }) => scope.requirements.includes(id))
    .map(({ id, clause, level, statement }): RequirementColumn => {
      const caught = defects.filter(({ breaks, killedBy }) => breaks.includes(id) && killedBy.includes(id))
      const brokenBy = defects.filter(({ breaks }) => breaks.includes(id))
      return {
        id,
        clause,
        level,
        statement,
        brokenBy: brokenBy.map((defect) => defect.id),
        caught: caught.map((defect) => defect.id),
        alsoRed: defects
          .filter(({ breaks, killedBy }) => !breaks.includes(id) && killedBy.includes(id))
          .map((defect) => defect.id),
        falseAlarms: alarms.filter((red) => red.has(id)).length,
        toothless: caught.length === 0,
      }
    })
  return { name: scope.api.name, defects, requirements, profiles }
}

/** The requirements that are wrong about a simulator without a defect. */
function alarmsIn({ api }: ApiScope, { task, results }: Done): ReadonlySet<string> {
  const wrong = new Set(
    results.filter((one) => violationKind(api, task.answers, one) !== null).map(({ check }) => check),
  )
  return new Set(api.checks.filter(({ id }) => wrong.has(id)).map(({ requirement }) => requirement))
}

type DoneWithDefect = Exclude<Done, { purpose: 'right' }>

function row(scope: ApiScope, done: DoneWithDefect): Omit<DefectRow, 'combined'> {
  const { id, summary, breaks } = done.defect
  const { found, ...kills } = killsOf(scope, done)
  const isBlocked = (statuses: ReadonlySet<string>) => statuses.has('blocked')
  return {
    id,
    summary,
    breaks,
    verdict: verdictOf(breaks, kills),
    ...kills,
    blocked: [...found].flatMap(([id, statuses]) => (isBlocked(statuses) && !kills.killedBy.includes(id) ? [id] : [])),
  }
}

function combinedRow(scope: ApiScope, done: DoneWithDefect & { readonly purpose: 'combined' }): CombinedRow {
  const { killedBy, missedBy, hiddenFrom } = killsOf(scope, done)
  return { profile: done.profile, killedBy, missedBy, hiddenFrom }
}

function killsOf(scope: ApiScope, { defect, task, results, alone }: DoneWithDefect) {
  const found = byRequirement(scope, results)
  const { due, hidden } = expectedKills(scope.api, defect, task.answers)
  const red = redIn(found)
  const redAlone = redIn(byRequirement(scope, alone)).filter((id) => !red.includes(id))
  const killedBy = [...red, ...redAlone]
  const isMissed = (id: string) => task.requirements.includes(id) && !killedBy.includes(id)
  return { found, killedBy, killedAlone: redAlone, missedBy: due.filter(isMissed), hiddenFrom: hidden }
}

function redIn(found: ByRequirement): readonly string[] {
  return [...found].filter(([, statuses]) => statuses.has('failed')).map(([requirement]) => requirement)
}

/** The requirements that a whole run shows as missing a defect which they should notice. */
export function missedIn(scope: ApiScope, done: DoneWithDefect): readonly string[] {
  return killsOf(scope, done).missedBy
}

type Kills = Pick<DefectRow, 'killedBy' | 'missedBy' | 'hiddenFrom'>

function verdictOf(breaks: readonly string[], { killedBy, missedBy, hiddenFrom }: Kills): Kill {
  if (hiddenFrom.length === breaks.length) return 'hidden'
  if (missedBy.length === 0) return 'killed-by-all'
  if (breaks.some((id) => killedBy.includes(id))) return 'killed-by-some'
  return killedBy.length > 0 ? 'killed-by-others' : 'survived'
}
