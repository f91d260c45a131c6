import { pluginQuestions } from '../../../spec/plugin/questions.ts'
import { resolveAnswers } from '../../profile/resolve-answers.ts'
import type { Profile } from './profile.ts'

/**
 * The profile with all questions answered: those that `partial` leaves out, or answers with
 * `undefined`, get their default.
 *
 * @throws UnknownQuestionError, UnknownAnswerError: both name the key and the valid spelling.
 */
export function resolveProfile(partial: Partial<Profile> = {}): Profile {
  return resolveAnswers(pluginQuestions, partial) as Profile
}

export { UnknownAnswerError, UnknownQuestionError } from '../../profile/resolve-answers.ts'
