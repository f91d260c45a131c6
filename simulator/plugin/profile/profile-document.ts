import type { PluginQuestionId } from '../../../spec/plugin/questions.ts'
import type { Profile } from './profile.ts'
import type { WordingOptions } from './wording.ts'

/** What a profile says about a server, in the words of `createSimulator`. */
export interface ProfileOptions extends WordingOptions {
  readonly profile: Partial<Profile>
  readonly capacity?: number
  readonly plugin?: { readonly name?: string; readonly version?: string }
}

/** A profile as it was read from a file. */
export interface ProfileDocument {
  /** For `createSimulator`, which takes them as they are. */
  readonly options: ProfileOptions
  /** Questions that the profile says nobody could answer; the simulator keeps its default there. */
  readonly notKnown: readonly PluginQuestionId[]
}

export const profileSchema = 'copytrade-tck/profile@1'

/** Stands for an answer, or a capacity, that nobody knows. No question has an answer of this name, as some have `unknown`. */
export const notKnown = 'not-known'

/** A profile is not as it should be. Names every line that is wrong. */
export class InvalidProfileError extends Error {
  override readonly name = 'InvalidProfileError'
  readonly hint =
    'copytrade-tck questions prints the questions and their answers; copytrade-tck probe writes a profile.'

  constructor(problems: readonly string[], options?: ErrorOptions) {
    super(problems.join('\n'), options)
  }
}
