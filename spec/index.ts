/** The registries, for tools that build on them. */
export { type ErrorKind, pluginErrorKinds } from './error-kinds.ts'
export type { Question } from './question.ts'
export { pluginQuestions } from './questions/plugin.ts'
export type { Level, Requirement, Unjudged } from './requirement.ts'
export { pluginRequirements, pluginUnjudged } from './requirements/plugin.ts'
