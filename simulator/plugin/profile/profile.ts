import { type PluginAnswer, type PluginQuestionId, pluginQuestions } from '../../../spec/plugin/questions.ts'
import { defaultAnswers } from '../../profile/resolve-answers.ts'

/** One answer to every question that the specification of the plugin leaves open. */
export type Profile = { readonly [Id in PluginQuestionId]: PluginAnswer<Id> }

/** The default answers: those that public facts suggest, otherwise the strictest ones. */
export const defaultProfile = defaultAnswers(pluginQuestions) as Profile
