/** The registries, for tools that build on them. */
export type { Question } from './question.ts'
export { type PlatformAnswer, type PlatformQuestionId, platformQuestions } from './questions/platform.ts'
export { pluginQuestions } from './questions/plugin.ts'
export type { Level, Requirement, Unjudged } from './requirement.ts'
export { type PlatformRequirementId, platformRequirements, platformUnjudged } from './requirements/platform.ts'
export { pluginRequirements, pluginUnjudged } from './requirements/plugin.ts'
