import type { PluginQuestionId } from '../../../spec/plugin/questions.ts'
import type { Profile } from './profile.ts'
import type { WordingOptions } from './wording.ts'

/** What a profile says about a server, as options of `createSimulator`. */
export interface ProfileOptions extends WordingOptions {
  readonly profile: Partial<Profile>
  readonly capacity?: number
  readonly plugin?: { readonly name?: string; readonly version?: string }
}

/** A profile as it was read from a file. */
export interface ProfileDocument {
  /** For `createSimulator`, which takes them as they are. */
  readonly options: ProfileOptions
  /** Questions that the profile has no answer to; the simulator uses the default there. */
  readonly notKnown: readonly PluginQuestionId[]
}

export const profileSchema = 'copytrade-tck/profile@1'

/** Stands for an answer, or a capacity, that is not known. Some questions have an answer `unknown`, so the name differs. */
export const notKnown = 'not-known'

/** A profile is invalid. The message names every wrong line. */
export class InvalidProfileError extends Error {
  override readonly name = 'InvalidProfileError'
  readonly hint =
    'Run `copytrade-tck questions` for the questions and their answers, or `copytrade-tck probe` to write a profile.'

  constructor(problems: readonly string[], options?: ErrorOptions) {
    super(problems.join('\n'), options)
  }
}
