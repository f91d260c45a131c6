import { platformQuestions } from '../../spec/platform/questions.ts'
import { platformRequirements } from '../../spec/platform/requirements.ts'
import { pluginQuestions } from '../../spec/plugin/questions.ts'
import { pluginRequirements } from '../../spec/plugin/requirements.ts'
import type { Question } from '../../spec/question.ts'
import type { Requirement } from '../../spec/requirement.ts'
import { platformChecks, platformObservations } from '../../suites/checks/platform/all.ts'
import { pluginCases, pluginChecks, pluginObservations } from '../../suites/checks/plugin/all.ts'
import type { Case, Check, Observation } from '../../suites/session/check.ts'
import type { RunOptions } from '../options/run-options.ts'

/** One API with everything that is known of it. */
export interface Api {
  readonly requirements: readonly Requirement[]
  readonly questions: readonly Question[]
  readonly checks: readonly (Check<never> | Observation<never>)[]
}

export const pluginApi: Api = {
  requirements: pluginRequirements,
  questions: pluginQuestions,
  checks: [...pluginChecks, ...pluginObservations],
}

export const platformApi: Api = {
  requirements: platformRequirements,
  questions: platformQuestions,
  checks: [...platformChecks, ...platformObservations],
}

/** Whatever a plan may name. */
export const everyCheck: readonly Case[] = [...pluginCases, ...platformApi.checks]

export const titles = new Map(everyCheck.map(({ id, title }) => [id, title]))

/** The APIs of a run: what is not judged is left out of its report altogether. */
export function judgedApis({ target, platform }: Pick<RunOptions, 'target' | 'platform'>): readonly Api[] {
  return [...(target.kind === 'none' ? [] : [pluginApi]), ...(platform === null ? [] : [platformApi])]
}
