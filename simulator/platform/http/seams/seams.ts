import type { PlatformProfile } from '../../profile.ts'
import { type AccountsSeams, accountsSeams } from './accounts.ts'
import { type AnswersSeams, answersSeams } from './answers.ts'
import { type AuthenticationSeams, authenticationSeams } from './authentication.ts'
import { type BodySeams, bodySeams } from './body.ts'
import { type FieldSeams, fieldSeams } from './fields.ts'
import { type MethodSeams, methodSeams } from './method.ts'
import { type PathSeams, pathSeams } from './path.ts'
import { type SigningSeams, signingSeams } from './signing.ts'

/**
 * Every decision of the platform simulator, by name. The profile answers them; a defect replaces
 * one. The stages of the pipeline ask the seams and decide nothing themselves.
 */
export type PlatformSeams = AuthenticationSeams &
  SigningSeams &
  PathSeams &
  MethodSeams &
  BodySeams &
  FieldSeams &
  AccountsSeams &
  AnswersSeams

/** Replaces some seams, given all of them, e.g. to be wrong on purpose. */
export type PlatformOverride = (seams: PlatformSeams) => Partial<PlatformSeams>

/** The seams of a server that answers as `profile` says. */
export function platformSeamsFor(
  profile: PlatformProfile,
  { groups, vendor }: { readonly groups: readonly string[]; readonly vendor: string },
): PlatformSeams {
  return {
    ...authenticationSeams(profile),
    ...signingSeams(profile, vendor),
    ...pathSeams(profile),
    ...methodSeams(profile),
    ...bodySeams(profile),
    ...fieldSeams(profile, groups),
    ...accountsSeams(profile),
    ...answersSeams(profile),
  }
}
