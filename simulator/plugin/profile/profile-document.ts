import type { PluginQuestionId } from '../../../spec/plugin/questions.ts'
import type { Profile } from './profile.ts'
import type { WordingOptions } from './wording.ts'

/** The content of a profile, as options of `createSimulator`. */
export interface ProfileOptions extends WordingOptions {
  readonly profile: Partial<Profile>
  readonly capacity?: number
  readonly plugin?: { readonly name?: string; readonly version?: string; readonly licenseActive?: boolean }
}

/** A profile read from a file. */
export interface ProfileDocument {
  /** Can be passed to `createSimulator`. */
  readonly options: ProfileOptions
  /** Questions without an answer in the profile; the simulator uses their default. */
  readonly notKnown: readonly PluginQuestionId[]
}

export const profileSchema = 'copytrade-tck/profile@1'

/** Stands for an unknown answer or capacity. Some questions have an answer `unknown`, so the name differs. */
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
