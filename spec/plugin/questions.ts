import { authenticationQuestions } from './questions/authentication.ts'
import { bodyQuestions } from './questions/body.ts'
import { pathAndMethodQuestions } from './questions/paths-and-methods.ts'
import { ruleQuestions } from './questions/rules.ts'
import { startUpQuestions } from './questions/start-up.ts'

/** Every point that the specification of the plugin leaves open. */
export const pluginQuestions = [
  ...authenticationQuestions,
  ...pathAndMethodQuestions,
  ...bodyQuestions,
  ...ruleQuestions,
  ...startUpQuestions,
] as const

export type PluginQuestion = (typeof pluginQuestions)[number]
export type PluginQuestionId = PluginQuestion['id']

/** The ids of the answers to a question, e.g. `'before' | 'after'`. */
export type PluginAnswer<Id extends PluginQuestionId> = keyof Extract<PluginQuestion, { id: Id }>['answers'] & string
