import { circumstancesOf } from '../../suites/runner/circumstances.ts'
import type { Outcome } from '../../suites/runner/outcome.ts'
import type { Answers, Api } from '../target/trials.ts'

/** One simulator to judge. Can be sent as a message. */
export interface Task {
  /** Name of the API. */
  readonly api: string
  /** Id of the defect; null for a correct simulator. */
  readonly defect: string | null
  readonly answers: Answers
  /** The requirements that are judged. */
  readonly requirements: readonly string[]
  /** Only these of their checks; null for all. */
  readonly only: readonly string[] | null
  /** Whether the observations run as well. */
  readonly observes: boolean
  readonly seed: number
  /** Id of the run scope; null for a run that may and knows everything. */
  readonly scope: string | null
}

/** The result of one check in a task. Can be sent as a message. */
export type Result = Pick<Outcome, 'check' | 'status' | 'code' | 'answer' | 'message'> & {
  /** Of a failed expectation, what `circumstancesOf` says; otherwise null. */
  readonly circumstances: string | null
}

/** Runs a task in this thread. */
export async function perform(task: Task, apis: readonly Api[]): Promise<readonly Result[]> {
  const api = apis.find(({ name }) => name === task.api)
  if (api === undefined) throw new Error(`there is no API ${task.api}`)
  const defect = task.defect === null ? null : api.defects.find(({ id }) => id === task.defect)
  if (defect === undefined) throw new Error(`there is no defect ${task.defect}`)
  const wanted = new Set(task.requirements)
  const checks = api.checks.filter(
    ({ id, requirement }) => wanted.has(requirement) && (task.only === null || task.only.includes(id)),
  )
  const outcomes = await api.judge({
    answers: task.answers,
    defect,
    checks: task.observes ? [...checks, ...api.observations] : checks,
    seed: task.seed,
    scope: api.runScopes.find(({ id }) => id === task.scope),
  })
  return outcomes.map((outcome) => {
    const { check, status, code, answer, message } = outcome
    return {
      check,
      status,
      code,
      answer,
      message,
      circumstances: status === 'failed' ? circumstancesOf(outcome) : null,
    }
  })
}

/** The task, for messages. */
export function describeTask({ defect, answers }: Task): string {
  const what = defect === null ? 'the simulator without a defect' : `the defect ${defect}`
  return Object.keys(answers).length === 0 ? what : `${what} with other answers`
}
