import { authenticationQuestions } from './plugin/authentication.ts'
import { bodyQuestions } from './plugin/body.ts'
import { pathAndMethodQuestions } from './plugin/paths-and-methods.ts'
import { ruleQuestions } from './plugin/rules.ts'
import { startUpQuestions } from './plugin/start-up.ts'

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
