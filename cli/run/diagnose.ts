import { availableParallelism } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import type { Diagnosis } from '../../reports/report.ts'
import { circumstancesOf, type Way, wayOf } from '../../suites/runner/circumstances.ts'
import type { Outcome } from '../../suites/runner/outcome.ts'
import { isHarm } from '../../suites/safety/culprits.ts'
import type { Result, Task } from '../selftest/task.ts'
import type { OpenApi } from '../target/api.ts'
import { roundTripsOf } from '../target/plugin/estimates.ts'
import { checkOf, knownFaultsOf } from './known-faults.ts'
import { proposals } from './proposals.ts'
import { type Ended, type Failure, type Found, type Reenact, searchFaults } from './search.ts'

export interface DiagnosisOptions {
  readonly seed: number
  /** The most that it may take; 0 for no diagnosis. */
  readonly diagnosisMs: number
  /** Ends it early. */
  readonly signal: AbortSignal
}

/** A simulator that hangs must leave time for others. */
const trials = 4
/** The share of the time after which what was found is confirmed. */
const searching = 0.5
const mostNearest = 3

/** The faults with which a simulator fails the same checks in the same way, or the nearest ones. */
export async function diagnose(
  apis: readonly OpenApi[],
  outcomes: readonly Outcome[],
  { seed, diagnosisMs, signal }: DiagnosisOptions,
): Promise<readonly Diagnosis[]> {
  if (diagnosisMs === 0 || !outcomes.some(isDiagnosed)) return []
  const startedAt = performance.now()
  const over = AbortSignal.any([signal, AbortSignal.timeout(diagnosisMs)])
  // Loaded only here: the defects need the simulators, and a run must start fast.
  const { createThreads } = await import('../selftest/threads.ts')
  const apisModule = new URL('../selftest/apis.js', import.meta.url).href
  const threads = createThreads({ jobs: Math.min(availableParallelism(), 4), apisModule, taskLimitMs: diagnosisMs })
  // Null where a thread ended, or the time is over.
  const isOver = new Promise<null>((resolve) => over.addEventListener('abort', () => resolve(null), { once: true }))
  const run = (task: Task) =>
    Promise.race([threads.run(task).catch(() => null), isOver, pause(diagnosisMs / trials, null, { ref: false })])
  const isLate = () => over.aborted || performance.now() - startedAt > searching * diagnosisMs
  try {
    const diagnosed: Diagnosis[] = []
    for (const api of apis) {
      const ended: Ended = { ...evidenceOf(api, outcomes), isLate }
      if (ended.failed.size === 0) continue
      const found = await searchFaults(ended, reenactor(api, outcomes, seed, run))
      diagnosed.push(...(await described(ended, found)))
    }
    return diagnosed
  } finally {
    await threads.close()
  }
}

/** The self-test has no rules of others, so no defect fails in this way. */
const isDiagnosed = ({ status, code }: Outcome) => status === 'failed' && !isHarm(code)

function evidenceOf({ api }: OpenApi, outcomes: readonly Outcome[]): Omit<Ended, 'isLate'> {
  const own = new Set(api.checks.flatMap((one) => ('requirement' in one ? [one.id] : [])))
  const judged = outcomes.filter(({ check }) => own.has(check))
  return {
    failed: new Map(judged.filter(isDiagnosed).map((outcome) => [outcome.check, failureOf(outcome)])),
    passed: new Set(judged.flatMap(({ check, status }) => (status === 'passed' ? [check] : []))),
    known: knownFaultsOf([api.name]),
    costOf: roundTripsOf,
  }
}

function failureOf(outcome: Outcome): Failure {
  return { ...wayOf(outcome), recorded: `${outcome.code}:${circumstancesOf(outcome)}` }
}

/** Judges simulators as the run judged its server: with the answers that were observed, and under the same conditions. */
function reenactor(
  { api, kind, risk, capabilities }: OpenApi,
  outcomes: readonly Outcome[],
  seed: number,
  run: (task: Task) => Promise<readonly Result[] | null>,
): Reenact {
  const questionOf = new Map(api.checks.flatMap((one) => ('question' in one ? [[one.id, one.question]] : [])))
  const answers = Object.fromEntries(
    outcomes.flatMap(({ check, answer }) => {
      const question = questionOf.get(check)
      return question === undefined || answer === null ? [] : [[question, answer]]
    }),
  )
  const task: Omit<Task, 'defects' | 'only'> = {
    ...{ api: api.name, answers, seed, observes: false },
    requirements: api.requirements.map(({ id }) => id),
    scope: { risk, capabilities, shared: kind === 'url' },
  }
  const known = new Map<string, Map<string, Way | null | undefined>>()
  return async (defects, checks) => {
    const key = defects.join()
    const ways = known.get(key) ?? new Map<string, Way | null | undefined>()
    known.set(key, ways)
    const missing = [...new Set(checks)].filter((check) => !ways.has(check))
    const parts = inParts(missing).map((only) => run({ ...task, defects, only }))
    for (const results of await Promise.all(parts)) {
      if (results === null) return null
      for (const { check, status, way } of results) ways.set(check, status === 'passed' ? null : way)
    }
    return ways
  }
}

/** A simulator starts fast: many checks are judged side by side. */
const mostInPart = 24

function inParts(checks: readonly string[]): readonly (readonly string[])[] {
  const count = Math.ceil(checks.length / mostInPart)
  return Array.from({ length: count }, (_, part) => checks.filter((_check, place) => place % count === part))
}

async function described({ failed, passed, known }: Ended, found: Found | null): Promise<readonly Diagnosis[]> {
  const { pluginDefects } = await import('../../simulator/plugin/defects/index.ts')
  const { platformDefects } = await import('../../simulator/platform/defects/index.ts')
  const summaries = new Map([...pluginDefects, ...platformDefects].map(({ id, summary }) => [id, summary]))
  const entry = (defect: string, explains: readonly string[]) => ({
    defects: [defect],
    summaries: [summaries.get(defect) ?? defect],
    explains,
    score: Math.round((100 * explains.length) / failed.size) / 100,
  })
  const names = (defect: string, check: string) => (known[defect] ?? []).some((failure) => checkOf(failure) === check)
  const { faults, explained, besides, passing } = found ?? nothing
  const unexplained = [...failed.keys()].filter((check) => !explained.includes(check))
  const alone = new Set(faults.flatMap(({ explains }) => explains))
  const shared = explained.filter((check) => !alone.has(check))
  const confirmed = faults.map(({ defect, explains, alternatives }) => ({
    ...entry(defect, [...explains, ...shared.filter((check) => names(defect, check))]),
    ...{ confirmed: true, unexplained, alternatives, besides, passing },
  }))
  const left = new Map(unexplained.map((check) => [check, failed.get(check)?.recorded ?? '']))
  const nearest = proposals(left, passed, known)
    .filter((defect) => !faults.some((fault) => fault.defect === defect))
    .slice(0, mostNearest)
    .map((defect) => ({
      ...entry(
        defect,
        unexplained.filter((check) => names(defect, check)),
      ),
      ...{ confirmed: false, unexplained, alternatives: [], besides: [], passing: 0 },
    }))
  return [...confirmed, ...nearest]
}

const nothing: Found = { faults: [], explained: [], besides: [], passing: 0 }
