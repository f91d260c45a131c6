import type { Profile } from '../../profile/profile.ts'
import { defaultWording, type Wording } from '../../profile/wording.ts'
import type { StartUpSeams } from '../../store/start-up.ts'
import { type AnswersSeams, answersSeams } from './answers.ts'
import { type AuthenticationSeams, authenticationSeams } from './authentication.ts'
import { type BodySeams, bodySeams } from './body.ts'
import { type IndexSeams, indexSeams } from './index-in-path.ts'
import { type LoginSeams, loginSeams } from './login.ts'
import { type MethodSeams, methodSeams } from './method.ts'
import { type PathSeams, pathSeams } from './path.ts'
import { type RulesSeams, rulesSeams } from './rules.ts'
import { type SavingSeams, savingSeams } from './saving.ts'
import { startUpSeams } from './start-up.ts'
import { type TermsSeams, termsSeams } from './terms.ts'

/**
 * Every decision of the simulator, by name. The profile answers them; a defect replaces one. The
 * stages of the pipeline ask the seams and decide nothing themselves.
 */
export type Seams = AuthenticationSeams &
  PathSeams &
  MethodSeams &
  IndexSeams &
  BodySeams &
  LoginSeams &
  TermsSeams &
  RulesSeams &
  SavingSeams &
  AnswersSeams &
  StartUpSeams

/** Replaces some seams, given all of them, e.g. to be wrong on purpose. */
export type Override = (seams: Seams) => Partial<Seams>

/** The seams of a server that answers as `profile` says, in these words. */
export function seamsFor(profile: Profile, wording: Wording = defaultWording): Seams {
  return {
    ...authenticationSeams(profile, wording),
    ...pathSeams(profile, wording),
    ...methodSeams(profile, wording),
    ...indexSeams(profile, wording),
    ...bodySeams(profile, wording),
    ...loginSeams(profile, wording),
    ...termsSeams(profile, wording),
    ...rulesSeams(profile, wording),
    ...savingSeams(),
    ...answersSeams(wording),
    ...startUpSeams(profile),
  }
}
