import { availableParallelism } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import type { Diagnosis } from '../../reports/report.ts'
import type { Outcome } from '../../suites/runner/outcome.ts'
import { startsServers } from '../../suites/session/check.ts'
import type { RunOptions } from '../options/run-options.ts'
import { type Failure, failureOf, type Result, type SelfTestTask } from '../selftest/task.ts'
import type { OpenApi } from '../target/api.ts'
import { roundTripsOf } from '../target/plugin/estimates.ts'
import { checkOf, knownFaultsOf } from './known-faults.ts'
import { type Found, type RunResults, searchFaults } from './search.ts'
import { similarDefects } from './similar-defects.ts'

/** Each simulator gets one of these parts of the time, so that one that hangs leaves time for others. */
const timeParts = 3
/** The share of the time after which the confirmation begins. */
const searching = 0.5
const mostNearest = 3

/** Searches for the faults with which a simulator fails in the same way, or the nearest ones, within `diagnosisMs`. */
export async function diagnose(
  apis: readonly OpenApi[],
  outcomes: readonly Outcome[],
  { seed, diagnosisMs, signal }: Pick<RunOptions, 'seed' | 'diagnosisMs'> & { readonly signal: AbortSignal },
) {
  const diagnosis: Diagnosis[] = []
  /** Whether the time ran out before every failure was explained. */
  let isCutShort = false
  const known = Object.keys(knownFaultsOf(...apis.map(({ api }) => api)))
  const isWanted = diagnosisMs > 0 && !signal.aborted && known.length > 0
  if (!isWanted || !outcomes.some(({ status }) => status === 'failed')) return { diagnosis, isCutShort }
  const startedAt = performance.now()
  const over = AbortSignal.any([signal, AbortSignal.timeout(diagnosisMs)])
  // Loaded only here, since the defects need the simulators and a run must start fast.
  const { createProcesses } = await import('../selftest/processes.ts')
  const processes = createProcesses(Math.min(availableParallelism(), 4), diagnosisMs)
  // Null if a process ended or the time ran out.
  const isOver = new Promise<null>((resolve) => over.addEventListener('abort', () => resolve(null), { once: true }))
  const run = (task: SelfTestTask) =>
    Promise.race([processes.run(task).catch(() => null), isOver, pause(diagnosisMs / timeParts, null, { ref: false })])
  const isLate = () => over.aborted || performance.now() - startedAt > searching * diagnosisMs
  try {
    for (const api of apis) {
      const ended = { ...resultsOf(api, outcomes, seed, run), isLate }
      if (ended.failed.size === 0) continue
      const found = await searchFaults(ended)
      isCutShort ||= found === null || (isLate() && found.explained.length < ended.failed.size)
      diagnosis.push(...(await described(ended, found ?? nothing)))
    }
    return signal.aborted ? { diagnosis: [], isCutShort: false } : { diagnosis, isCutShort }
  } finally {
    await processes.close()
  }
}

const nothing: Found = { faults: [], explained: [], besides: [], passing: 0 }

async function described({ failed, passed, known }: RunResults, found: Found): Promise<readonly Diagnosis[]> {
  const { pluginDefects } = await import('../../simulator/plugin/defects/index.ts')
  const { platformDefects } = await import('../../simulator/platform/defects/index.ts')
  const summaries = new Map([...pluginDefects, ...platformDefects].map(({ id, summary }) => [id, summary]))
  const { faults, explained, besides, passing } = found
  const unexplained = [...failed.keys()].filter((check) => !explained.includes(check))
  const entry = (defect: string, explains: readonly string[], reenacted: boolean) => ({
    defects: [defect],
    summaries: [summaries.get(defect) ?? defect],
    explains,
    score: Math.round((100 * explains.length) / failed.size) / 100,
    ...{ reenacted, unexplained },
  })
  const names = (defect: string, check: string) => (known[defect] ?? []).some((failure) => checkOf(failure) === check)
  const alone = new Set(faults.flatMap(({ explains }) => explains))
  const shared = explained.filter((check) => !alone.has(check))
  const reenacted = faults.map(({ defect, explains, alternatives, isConfirmed }) => ({
    ...entry(defect, [...explains, ...shared.filter((check) => names(defect, check))], true),
    ...{ confirmed: isConfirmed, alternatives, besides, passing },
  }))
  const left = new Map(unexplained.map((check) => [check, failed.get(check)?.recorded ?? '']))
  const nearest = similarDefects(left, passed, known)
    .filter((defect) => !faults.some((fault) => fault.defect === defect))
    .slice(0, mostNearest)
    .map((defect) => {
      const explains = unexplained.filter((check) => names(defect, check))
      return { ...entry(defect, explains, false), confirmed: false, alternatives: [], besides: [], passing: 0 }
    })
  return [...reenacted, ...nearest]
}

/**
 * The results of a run by one of its APIs. Simulators are judged under the conditions of the run, with its answers.
 * `run` returns null if the time ran out.
 */
export function resultsOf(
  { api, conditions }: Pick<OpenApi, 'api' | 'conditions'>,
  outcomes: readonly Outcome[],
  seed: number,
  run: (task: SelfTestTask) => Promise<readonly Result[] | null>,
): Omit<RunResults, 'isLate'> {
  const own = new Set(api.checks.map(({ id }) => id))
  const judged = outcomes.filter(({ check }) => own.has(check))
  const answerOf = new Map(outcomes.map(({ check, answer }) => [check, answer]))
  const answers = Object.fromEntries(
    api.observations.flatMap(({ id, question }) => {
      const answer = answerOf.get(id) ?? null
      return answer === null ? [] : [[question, answer]]
    }),
  )
  const task: Omit<SelfTestTask, 'defects' | 'only'> = {
    ...{ api: api.name, answers, seed, observes: false },
    requirements: api.requirements.map(({ id }) => id),
    scope: conditions(),
  }
  // Such a check judges the whole run, and here only a few checks run.
  const concluding = new Set(api.checks.flatMap(({ id, concludes }) => (concludes ? id : [])))
  const sharing = new Set(api.checks.flatMap((check) => (startsServers(check) ? [] : check.id)))
  const earlier = new Map<string, Map<string, Failure | null | undefined>>()
  const reenact: RunResults['reenact'] = async (defects, checks, inOrder = false) => {
    const key = `${defects.join()} ${inOrder}`
    const failures = earlier.get(key) ?? new Map()
    earlier.set(key, failures)
    const missing = [...new Set(checks)].filter((check) => !failures.has(check))
    const together = missing.filter((check) => inOrder && sharing.has(check))
    const others = missing.filter((check) => !together.includes(check))
    const parts = [together, ...inParts(others)].filter((only) => only.length > 0)
    const running = parts.map((only) => run({ ...task, defects, only }))
    for (const results of await Promise.all(running)) {
      if (results === null) return null
      for (const { check, status, failure } of results) {
        failures.set(check, status === 'passed' && !concluding.has(check) ? null : failure)
      }
    }
    return failures
  }
  return {
    failed: new Map(judged.filter(({ status }) => status === 'failed').map((one) => [one.check, failureOf(one)])),
    passed: new Set(judged.flatMap(({ check, status }) => (status === 'passed' ? check : []))),
    timed: new Set(api.checks.flatMap(({ id, alone }) => (alone ? id : []))),
    known: knownFaultsOf(api),
    costOf: roundTripsOf,
    reenact,
  }
}

/** Simulators start fast, so many parts can run concurrently. */
const mostInPart = 24

function inParts(checks: readonly string[]): readonly (readonly string[])[] {
  const count = Math.ceil(checks.length / mostInPart)
  return Array.from({ length: count }, (_, part) => checks.filter((_check, place) => place % count === part))
}
