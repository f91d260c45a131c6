import { isHarm, type ServerFault } from '../safety/list-change-errors.ts'
import { type Case, startsServers } from '../session/check.ts'
import type { Seen } from '../session/session.ts'
import { findingOf, isAbout } from './classify.ts'
import { apiWith, type JudgedApi, judgedBy } from './define-api.ts'
import { notRun, type Outcome } from './outcome.ts'
import { leftOut, type PlannedCheck } from './plan.ts'
import { type ScheduledTask, schedule } from './scheduler.ts'
import { release, type ServerUnderTest } from './server-under-test.ts'
import type { Progress } from './traffic.ts'

export async function runPlanned(planned: PlannedCheck, apis: readonly JudgedApi[]): Promise<Outcome> {
  const { id } = planned
  const unrun = leftOut(planned)
  if (unrun !== null) return unrun
  const { api, check } = apiWith(apis, id)
  try {
    if (check.fills !== true) await releaseAll(apis)
    return await api.judge(id)
  } catch (error) {
    return unjudged(id, error, api)
  }
}

/** The outcome if the kit could not do its own work around a check. The other checks are still judged and reported. */
function unjudged(check: string, error: unknown, { context }: JudgedApi): Outcome {
  const { status, message } = findingOf(error)
  return notRun(check, status === 'blocked' ? status : 'error', context.redact(message ?? String(error)))
}

/** Removes what checks leave in place for the next one. */
export async function releaseAll(apis: readonly JudgedApi[]): Promise<void> {
  for (const { context } of apis) await release(context)
}

/** Runs a whole plan against one server in this thread, one check after the other. */
export async function runPlan<Session>(
  plan: readonly PlannedCheck[],
  checks: readonly Case<Session>[],
  context: ServerUnderTest<Session>,
): Promise<readonly Outcome[]> {
  const apis = [judgedBy(checks, context)]
  const outcomes: Outcome[] = []
  for (const planned of plan) outcomes.push(await runPlanned(planned, apis))
  await releaseAll(apis)
  return outcomes
}

interface Limit {
  /** A check has failed to end if nothing was sent or received for so long. */
  readonly checkTimeoutMs: number
  readonly progress: Progress
}

/**
 * Awaits the outcome of a check as long as anything is sent or received. A check that is stuck may go on at any time,
 * so `stopSending` must keep it from the server, where other checks follow.
 */
export function unlessStuck(
  check: string,
  judged: Promise<Outcome>,
  { progress, checkTimeoutMs }: Limit,
  stopSending: () => void,
): Promise<Outcome> {
  return progress.unlessIdle(judged, checkTimeoutMs, () => {
    stopSending()
    const reason = `the check did not end: nothing was sent or received for ${checkTimeoutMs / 1000} s`
    return notRun(check, 'error', reason)
  })
}

/**
 * Outcomes are in the order of the plan. A second one of the same check, at the end, replaces the first: it reports harm
 * to foreign rules.
 */
export type RunEvent =
  | { readonly kind: 'begin' | 'end'; readonly check: string }
  | { readonly kind: 'outcome'; readonly outcome: Outcome }

export interface SideBySide extends Limit {
  readonly plan: readonly PlannedCheck[]
  readonly jobs: number
  readonly apis: readonly JudgedApi[]
  readonly isAborted: () => boolean
  readonly report: (event: RunEvent) => void
}

/** Runs a plan. Checks with own servers run concurrently if the kit started the target. No outcome depends on `jobs`. */
export async function runSideBySide(run: SideBySide): Promise<void> {
  const { plan, apis, jobs, report } = run
  const hasOwnServers = apis.some(({ own }) => own !== null)
  /** By the position of the check in the plan. */
  const findings: { readonly api: JudgedApi; readonly seen: Seen }[] = []
  /** The position of the check after which no more requests were sent to the target. */
  const stoppedAt = new Map<JudgedApi, number>()
  /** A check may also find this harm in its own rules, and break another requirement with it. */
  const reported = new Set<string>()
  const outcomes = inOrder((outcome: Outcome) => {
    if (outcome.status === 'failed' && isHarm(outcome.code)) reported.add(outcome.check)
    report({ kind: 'outcome', outcome })
  })
  const reportHarm = async (harm: ServerFault, { cases, judge }: JudgedApi) => {
    const about = [...cases.values()].filter((check) => isAbout(check, harm))
    if (about.some(({ id }) => reported.has(id))) return
    // A check that needs nothing fails at once.
    const check = about.find(({ needs }) => needs === undefined)
    if (check === undefined) throw new Error(`no check is about ${harm.requirement}`)
    report({ kind: 'outcome', outcome: await judge(check.id) })
  }
  const tasks = plan.map((planned, at): ScheduledTask => {
    const { check, api } = apiWith(apis, planned.id)
    const own = planned.outOfScope === null && startsServers(check) ? api.own : null
    return {
      // Checks of a foreign server never run concurrently, since the network to it can be slow.
      sequence: own !== null ? null : hasOwnServers && areOwned(apis) ? `${apis.indexOf(api)}` : 'all',
      alone: hasOwnServers && (check.alone ?? check.concludes ?? false),
      async run(becomeAlone) {
        let context = own === null ? api.context : null
        const judgeWith = async (judged: JudgedApi, released: readonly JudgedApi[]) => {
          context = judged.context
          context.becomeAlone = becomeAlone
          const earlier = Object.values(findings).filter((one) => one.api === api)
          if (check.concludes) context.earlier = earlier.map(({ seen }) => seen)
          const outcome = await runPlanned(planned, released)
          findings[at] = { api, seen: context.seen() }
          return outcome
        }
        report({ kind: 'begin', check: check.id })
        // If the other API is judged concurrently, nothing may be released there.
        const judging = own?.withContext(check, (one) => judgeWith(one, [one]))
        const judged =
          judging?.catch((error: unknown) => unjudged(check.id, error, api)) ??
          judgeWith(api, areOwned(apis) ? [api] : apis)
        const outcome = await unlessStuck(check.id, judged, run, () => context?.sendOnly(0))
        const { stopped } = api.context.state
        if (own === null && stopped !== null) stoppedAt.set(api, Math.min(stoppedAt.get(api) ?? at, at))
        report({ kind: 'end', check: check.id })
        outcomes.add(at, () => {
          // With one job, checks after the target stopped responding are not run.
          const { stopped: why } = api.context.state
          const isAfter = own !== null && why !== null && at >= (stoppedAt.get(api) ?? plan.length)
          return isAfter ? { ...notRun(check.id, 'blocked', why.reason), stop: why.cause } : outcome
        })
      },
    }
  })
  // Checks that must run alone wait until all others have ended.
  await schedule([...tasks.filter(({ alone }) => !alone), ...tasks.filter(({ alone }) => alone)], jobs, run.isAborted)
  outcomes.end()
  for (const api of apis) {
    const harm = await api.context.harm()
    if (harm !== null) await reportHarm(harm, api)
  }
  const isKept = plan.some(({ id }) => apis.some(({ context }) => context.keeper(id) !== null))
  const cleanUp = async () => {
    for (const { own } of apis) await own?.close()
    if (!isKept) await releaseAll(apis)
  }
  // All checks are judged. The main thread ends the servers and verifies the list, and names what is left.
  await cleanUp().catch(() => undefined)
}

function areOwned(apis: readonly JudgedApi[]): boolean {
  return apis.every(({ context }) => context.owned)
}

/** Passes on values, which may become ready in any order, in the order of their positions. */
export function inOrder<Value>(emit: (value: Value) => void) {
  const ready: (() => Value)[] = []
  let next = 0
  return {
    /** Adds the value at a position. `value` is called when all earlier values were passed on. */
    add(at: number, value: () => Value) {
      ready[at] = value
      for (let first = ready[next]; first !== undefined; first = ready[next]) {
        next += 1
        emit(first())
      }
    },
    /** Passes on the remaining values, even if earlier ones never became ready. */
    end() {
      for (const value of Object.values(ready.slice(next))) emit(value())
    },
  }
}
