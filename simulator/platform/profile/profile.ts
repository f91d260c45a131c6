import { type PlatformAnswer, type PlatformQuestionId, platformQuestions } from '../../../spec/platform/questions.ts'
import { defaultAnswers, resolveAnswers } from '../../profile/resolve-answers.ts'

/** One answer for every question that the specification of the platform API leaves open. */
export type PlatformProfile = { readonly [Id in PlatformQuestionId]: PlatformAnswer<Id> }

/** The default answers: those that public facts suggest, otherwise the strictest ones. */
export const defaultPlatformProfile = defaultAnswers(platformQuestions) as PlatformProfile

/**
 * A complete profile: questions that `partial` does not answer get their default.
 * @throws UnknownQuestionError, UnknownAnswerError
 */
export function resolvePlatformProfile(partial: Partial<PlatformProfile> = {}): PlatformProfile {
  return resolveAnswers(platformQuestions, partial) as PlatformProfile
}
