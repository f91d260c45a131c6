import { type PluginAnswer, type PluginQuestionId, pluginQuestions } from '../../../spec/plugin/questions.ts'
import { defaultAnswers } from '../../profile/resolve-answers.ts'

/** One answer to every question on which the specification of the plugin is silent. */
export type Profile = { readonly [Id in PluginQuestionId]: PluginAnswer<Id> }

/** The answers that public facts suggest, or else the strictest ones. */
export const defaultProfile = defaultAnswers(pluginQuestions) as Profile
