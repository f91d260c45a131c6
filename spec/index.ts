/** The requirements and questions, for tools that build on them. */

export { type PlatformAnswer, type PlatformQuestionId, platformQuestions } from './platform/questions.ts'
export { type PlatformRequirementId, platformRequirements, platformUnjudged } from './platform/requirements.ts'
export { type ErrorKind, pluginErrorKinds } from './plugin/error-kinds.ts'
export { pluginQuestions } from './plugin/questions.ts'
export { pluginRequirements, pluginUnjudged } from './plugin/requirements.ts'
export type { Question } from './question.ts'
export type { Level, Requirement, Unjudged } from './requirement.ts'
