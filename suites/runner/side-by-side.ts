import pTimeout from 'p-timeout'
import { isHarm, type OtherRuleLost } from '../safety/culprits.ts'
import { apiOf, type Case } from '../session/check.ts'
import type { Driver } from '../targets/driver.ts'
import type { RunContext } from './context.ts'
import { inOrder } from './in-order.ts'
import { judge } from './judge.ts'
import { notRun, type Outcome } from './outcome.ts'
import type { PlannedCheck } from './plan.ts'
import type { PluginContext } from './plugin/context.ts'
import { createOwnContexts, hasOwnServers, type OwnContexts } from './plugin/own-context.ts'
import { firstSeen, type Seen } from './plugin/seen.ts'
import { releaseAll, runPlanned } from './run-plan.ts'
import type { Shared } from './shared.ts'
import { type Task, type Turn, takeTurns } from './turns.ts'

export interface SideBySide {
  readonly plan: readonly PlannedCheck[]
  readonly cases: ReadonlyMap<string, Case>
  readonly context: RunContext
  readonly driver: Driver | null
  readonly shared: Shared
  /** How many checks run at a time, where they can. */
  readonly jobs: number
  readonly checkTimeoutMs: number
  readonly isAborted: () => boolean
  readonly onBegin: (check: string) => void
  readonly onEnd: (check: string) => void
  /** Called in the order of the plan; at the end once more where harm to rules of others was not reported by then. */
  readonly onOutcome: (outcome: Outcome) => void
}

/** A check of the plan, with its place there. */
interface Entry {
  readonly planned: PlannedCheck
  readonly check: Case
  readonly at: number
}

/** What a run has shown so far. */
interface Course {
  /** By the place of the check in the plan. */
  readonly seen: Seen[]
  /** The place of the check after which the target was sent no more requests. */
  stoppedAt: number
}

/**
 * Runs a plan. The checks of one server run one after the other; where the kit started the plugin, those
 * that start servers of their own run beside them. No outcome depends on `jobs`.
 */
export async function runSideBySide(run: SideBySide): Promise<void> {
  const { plan, context, driver, shared, jobs } = run
  const { plugin } = context
  const own = plugin?.owned && driver ? createOwnContexts(plugin, driver, shared) : null
  const course: Course = { seen: [], stoppedAt: plan.length }
  let isHarmTold = false
  const outcomes = inOrder((outcome: Outcome) => {
    isHarmTold ||= outcome.status === 'failed' && isHarm(outcome.code)
    run.onOutcome(outcome)
  })
  const tasks = plan.map((planned, at): Task => {
    const check = caseOf(planned, run.cases)
    const entry = { planned, check, at }
    const beside = own !== null && planned.outOfScope === null && hasOwnServers(check) ? own : null
    return {
      sequence: own === null ? 'all' : beside === null ? sequenceOf(check, context) : null,
      alone: own !== null && (check.alone ?? check.concludes ?? false),
      async run(turn) {
        run.onBegin(check.id)
        const judging =
          beside === null ? judgeAtTarget(entry, turn, context, course) : judgeBeside(entry, turn, beside, course)
        const outcome = await withinLimit(check, judging, run.checkTimeoutMs)
        run.onEnd(check.id)
        outcomes.add(at, () => (beside === null ? outcome : (stoppedBefore(entry, plugin, course) ?? outcome)))
      },
    }
  })
  // What must run alone waits until all else has ended.
  await takeTurns([...tasks.filter(({ alone }) => !alone), ...tasks.filter(({ alone }) => alone)], jobs, run.isAborted)
  outcomes.end()
  const harm = await plugin?.harm()
  if (plugin && harm && !isHarmTold) run.onOutcome(await judge(checkOf(harm, run.cases), plugin))
  await own?.close()
  if (plugin?.settings.keepServerOf === undefined) await releaseAll(context)
}

/** A check of the requirement that was broken, chosen or not. It fails at once. */
function checkOf({ requirement }: OtherRuleLost, cases: SideBySide['cases']): Case {
  const own = [...cases.values()].filter((check) => 'requirement' in check && check.requirement === requirement)
  const check = own.find(({ needs }) => needs === undefined)
  if (check === undefined) throw new Error(`no check is about ${requirement}`)
  return check
}

function caseOf({ id }: PlannedCheck, cases: SideBySide['cases']): Case {
  const check = cases.get(id)
  if (check === undefined) throw new Error(`the plan names an unknown check: ${id}`)
  return check
}

/** A platform that the kit did not start is judged as if it were alone: the network to it can be slow. */
function sequenceOf(check: Case, { platform }: RunContext): string {
  return platform?.owned ? apiOf(check) : 'all'
}

async function judgeAtTarget({ planned, check, at }: Entry, turn: Turn, context: RunContext, course: Course) {
  const name = apiOf(check)
  const api = context[name]
  if (api !== null) api.becomeAlone = turn.becomeAlone
  const { plugin, platform } = context
  // Where the other API is judged at the same time, nothing may be released there.
  const apis = platform?.owned ? { [name]: api } : context
  if (plugin === null || name !== 'plugin') return await runPlanned(planned, check, apis)
  if (check.concludes) plugin.earlier = firstSeen(...Object.values(course.seen))
  const outcome = await runPlanned(planned, check, apis)
  course.seen[at] = plugin.seen()
  if (plugin.state.stopped !== null) course.stoppedAt = Math.min(course.stoppedAt, at)
  return outcome
}

function judgeBeside({ planned, check, at }: Entry, turn: Turn, own: OwnContexts, course: Course): Promise<Outcome> {
  return own.lend(check, async (plugin) => {
    plugin.becomeAlone = turn.becomeAlone
    const outcome = await runPlanned(planned, check, { plugin })
    course.seen[at] = plugin.seen()
    return outcome
  })
}

/** With one job, a check that comes after the target has stopped answering is not run. */
function stoppedBefore({ check, at }: Entry, plugin: PluginContext | null, { stoppedAt }: Course): Outcome | null {
  if (at < stoppedAt || !plugin?.state.stopped) return null
  const { reason, cause } = plugin.state.stopped
  return { ...notRun(check.id, 'blocked', reason), stop: cause }
}

function withinLimit({ id }: Case, judging: Promise<Outcome>, milliseconds: number): Promise<Outcome> {
  const fallback = () => notRun(id, 'error', `the check did not end within ${milliseconds / 1000} s`)
  return pTimeout(judging, { milliseconds, fallback })
}
