import { circumstancesOf, type Way, wayOf } from '../../suites/runner/circumstances.ts'
import type { Outcome } from '../../suites/runner/outcome.ts'
import { isHarm } from '../../suites/safety/culprits.ts'
import type { Result, Task } from '../selftest/task.ts'
import type { OpenApi } from '../target/api.ts'
import { roundTripsOf } from '../target/plugin/estimates.ts'
import { knownFaultsOf } from './known-faults.ts'
import type { Ended, Failure, Reenact } from './search.ts'

/** A judged server, and what could be done to it. */
export type JudgedApi = Pick<OpenApi, 'kind' | 'risk' | 'capabilities'> & {
  readonly api: Pick<OpenApi['api'], 'name' | 'requirements' | 'checks' | 'observations'>
}

/** The self-test has no foreign rules, so no defect is recorded with harm. */
export const isDiagnosed = ({ status, code }: Outcome) => status === 'failed' && !isHarm(code)

/** How the checks of this API ended. */
export function evidenceOf({ api }: JudgedApi, outcomes: readonly Outcome[]): Omit<Ended, 'isLate'> {
  const own = new Set(api.checks.map(({ id }) => id))
  const judged = outcomes.filter(({ check }) => own.has(check))
  return {
    failed: new Map(judged.filter(isDiagnosed).map((outcome) => [outcome.check, failureOf(outcome)])),
    passed: new Set(judged.flatMap(({ check, status }) => (status === 'passed' ? [check] : []))),
    timed: new Set(api.checks.flatMap(({ id, alone }) => (alone ? [id] : []))),
    known: knownFaultsOf([api.name]),
    costOf: roundTripsOf,
  }
}

function failureOf(outcome: Outcome): Failure {
  return { ...wayOf(outcome), recorded: `${outcome.code}:${circumstancesOf(outcome)}` }
}

/** Judges simulators under the conditions of the run, with the observed answers. */
export function reenactor(
  { api, kind, risk, capabilities }: JudgedApi,
  outcomes: readonly Outcome[],
  seed: number,
  run: (task: Task) => Promise<readonly Result[] | null>,
): Reenact {
  const questionOf = new Map(api.observations.map(({ id, question }) => [id, question]))
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
  // Such a check judges the whole run, and here only a few checks run.
  const concluding = new Set(api.checks.flatMap(({ id, concludes }) => (concludes ? [id] : [])))
  const known = new Map<string, Map<string, Way | null | undefined>>()
  return async (defects, checks) => {
    const key = defects.join()
    const ways = known.get(key) ?? new Map<string, Way | null | undefined>()
    known.set(key, ways)
    const missing = [...new Set(checks)].filter((check) => !ways.has(check))
    const parts = inParts(missing).map((only) => run({ ...task, defects, only }))
    for (const results of await Promise.all(parts)) {
      if (results === null) return null
      for (const { check, status, way } of results) {
        ways.set(check, status === 'passed' && !concluding.has(check) ? null : way)
      }
    }
    return ways
  }
}

/** Simulators start fast, so many parts can run concurrently. */
const mostInPart = 24

function inParts(checks: readonly string[]): readonly (readonly string[])[] {
  const count = Math.ceil(checks.length / mostInPart)
  return Array.from({ length: count }, (_, part) => checks.filter((_check, place) => place % count === part))
}
