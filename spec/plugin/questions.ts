import { authenticationQuestions } from './questions/authentication.ts'
import { bodyQuestions } from './questions/body.ts'
import { pathAndMethodQuestions } from './questions/paths-and-methods.ts'
import { ruleQuestions } from './questions/rules.ts'
import { startUpQuestions } from './questions/start-up.ts'

/** Every point about the plugin on which the specification is silent. */
export const pluginQuestions = [
  ...authenticationQuestions,
  ...pathAndMethodQuestions,
  ...bodyQuestions,
  ...ruleQuestions,
  ...startUpQuestions,
] as const

export type PluginQuestion = (typeof pluginQuestions)[number]
export type PluginQuestionId = PluginQuestion['id']

/** The answers that a question allows, e.g. `'before' | 'after'`. */
export type PluginAnswer<Id extends PluginQuestionId> = Extract<
  keyof Extract<PluginQuestion, { id: Id }>['answers'],
  string
>
