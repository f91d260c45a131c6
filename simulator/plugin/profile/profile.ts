import { type PluginAnswer, type PluginQuestionId, pluginQuestions } from '../../../spec/plugin/questions.ts'
import { defaultAnswers, resolveAnswers } from '../../profile/resolve-answers.ts'

/** One answer for every question that the specification of the plugin leaves open. */
export type Profile = { readonly [Id in PluginQuestionId]: PluginAnswer<Id> }

/** The default answers: those that public facts suggest, otherwise the strictest ones. */
export const defaultProfile = defaultAnswers(pluginQuestions) as Profile

/**
 * A complete profile: questions that `partial` leaves out, or answers with `undefined`, get their default.
 * @throws UnknownQuestionError, UnknownAnswerError: both name the key and the valid spelling.
 */
export function resolveProfile(partial: Partial<Profile> = {}): Profile {
  return resolveAnswers(pluginQuestions, partial) as Profile
}

export { UnknownAnswerError, UnknownQuestionError } from '../../profile/resolve-answers.ts'
