import { pluginCases } from '../../suites/checks/plugin/all.ts'
import type { Case } from '../../suites/session/check.ts'
import type { RunOptions } from '../options/run-options.ts'
import type { ApiUnderTest } from './api.ts'
import { platformApi } from './platform/api.ts'
import { pluginApi } from './plugin/api.ts'

/** The APIs that a run can judge, in the order in which they are judged. */
const apis: readonly ApiUnderTest[] = [pluginApi, platformApi]

/** Every check and observation. */
export const runCases: readonly Case[] = apis.flatMap(({ checks }) => checks)

/** Whatever a plan may name. */
export const everyCase: readonly Case[] = [...new Set([...pluginCases, ...runCases])]

export const titles = new Map(everyCase.map(({ id, title }) => [id, title]))

/** The APIs of a run: what is not judged is left out of its report altogether. */
export function judgedApis(options: RunOptions): readonly ApiUnderTest[] {
  return apis.filter((api) => api.choose(options) !== null)
}
