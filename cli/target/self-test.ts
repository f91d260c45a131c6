import type { DefectOf } from '../../simulator/defect-parts/defect.ts'
import type { Draft } from '../../suites/model/rule.ts'
import type { Api as UnderTest } from '../../suites/runner/define-api.ts'
import type { Outcome } from '../../suites/runner/outcome.ts'
import type { Capability, Check, Observation, Risk } from '../../suites/session/check.ts'

/** Answers by question. Other questions have their default answer. */
export type Answers = Readonly<Record<string, string>>

/** The parts of a defect that the laws need. */
export interface KnownDefect extends Omit<DefectOf<Answers, string, unknown>, 'breaks' | 'override'> {
  readonly breaks: readonly string[]
}

export interface Conditions {
  readonly risk: Risk
  readonly capabilities: readonly Capability[]
  /** Whether the server has foreign rules that must stay. */
  readonly shared: boolean
  /** The foreign rules. Default: two. */
  readonly rules?: readonly Draft[]
}

/** A typical run of a user. A self-test has no such limits. */
export interface RunScope extends Conditions {
  readonly id: string
  /** The command that starts such a run. */
  readonly summary: string
}

/** Requirements and questions that cannot be measured with these answers. */
export interface Unmeasurable {
  /** Matches the ids of requirements and questions. */
  readonly subjects: RegExp
  readonly where: Answers
  readonly reason: string
}

/** A simulator to start and the checks to run against it. */
export interface DefectRun<Defect> {
  readonly answers: Answers
  /** The simultaneous defects of the simulator; empty for a correct one. */
  readonly defects: readonly Defect[]
  readonly checks: readonly (Check<never> | Observation<never>)[]
  readonly seed: number
  /** Default: a run without limits. */
  readonly scope?: Conditions | undefined
}

/** What the self-test adds to an API: its defects, and how simulators with defects are judged. */
export interface SelfTestParts<Defect extends KnownDefect = KnownDefect> {
  readonly defects: readonly Defect[]
  readonly unmeasurable: readonly Unmeasurable[]
  /** Typical runs under whose conditions each defect is also tried. */
  readonly runScopes: readonly RunScope[]
  /** Common non-default answers under which a defect may fail in another way. */
  readonly otherAnswers: Answers | null
  /** Starts a simulator, runs the checks against it and ends it. */
  judge(run: DefectRun<Defect>): Promise<readonly Outcome[]>
}

export type SelfTestApi = Pick<UnderTest, 'name' | 'requirements' | 'questions' | 'checks' | 'observations'> &
  SelfTestParts

/** Whether `answers`, completed by the defaults, include all of `part`. */
export function includes({ questions }: Pick<SelfTestApi, 'questions'>, answers: Answers, part: Answers): boolean {
  const byDefault = new Map(questions.map((question) => [question.id, question.default]))
  return Object.entries(part).every(([id, answer]) => (answers[id] ?? byDefault.get(id)) === answer)
}

/** Divides the requirements that a defect breaks: those that must catch it with these answers, and the others. */
export function expectedKills(
  api: Pick<SelfTestApi, 'questions'>,
  { breaks, maskedBy = [] }: KnownDefect,
  answers: Answers,
) {
  const inForce = maskedBy.filter((mask) => includes(api, answers, mask.answers))
  const hidden = new Set(inForce.flatMap(({ from }) => from ?? breaks))
  return { due: breaks.filter((id) => !hidden.has(id)), hidden: breaks.filter((id) => hidden.has(id)) }
}
