import type { Question } from '../../spec/question.ts'
import { platformQuestions } from '../../spec/questions/platform.ts'
import { pluginQuestions } from '../../spec/questions/plugin.ts'
import type { Requirement } from '../../spec/requirement.ts'
import { platformRequirements } from '../../spec/requirements/platform.ts'
import { pluginRequirements } from '../../spec/requirements/plugin.ts'
import { pluginCases, pluginChecks, pluginObservations } from '../../suites/cases/all.ts'
import { platformChecks, platformObservations } from '../../suites/cases/platform/all.ts'
import type { Case, Check, Observation } from '../../suites/engine/check.ts'
import type { RunOptions } from './options.ts'

/** One API with everything that is known of it. */
export interface Api {
  readonly requirements: readonly Requirement[]
  readonly questions: readonly Question[]
  readonly checks: readonly (Check | Observation)[]
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
