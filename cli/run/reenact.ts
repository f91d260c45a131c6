import type { Outcome } from '../../suites/runner/outcome.ts'
import { startsServers } from '../../suites/session/check.ts'
import { type Failure, failureOf, type Result, type SelfTestTask } from '../selftest/task.ts'
import type { OpenApi } from '../target/api.ts'
import { roundTripsOf } from '../target/plugin/estimates.ts'
import { knownFaultsOf } from './known-faults.ts'
import type { RunResults } from './search.ts'

interface Simulation {
  readonly seed: number
  /** Null if the time ran out. */
  readonly run: (task: SelfTestTask) => Promise<readonly Result[] | null>
  readonly isLate: () => boolean
}

/** The results of a run by one of its APIs. Simulators are judged under the conditions of the run, with its answers. */
export function resultsOf(
  { api, conditions }: Pick<OpenApi, 'api' | 'conditions'>,
  outcomes: readonly Outcome[],
  { seed, run, isLate }: Simulation,
): RunResults {
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
    ...{ isLate, reenact },
  }
}

/** Simulators start fast, so many parts can run concurrently. */
const mostInPart = 24

function inParts(checks: readonly string[]): readonly (readonly string[])[] {
  const count = Math.ceil(checks.length / mostInPart)
  return Array.from({ length: count }, (_, part) => checks.filter((_check, place) => place % count === part))
}
