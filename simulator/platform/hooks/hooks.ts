import type { PlatformProfile } from '../profile/profile.ts'
import { type AccountsHooks, accountsHooks } from './accounts.ts'
import { type AuthenticationHooks, authenticationHooks } from './authentication.ts'
import { type BodyHooks, bodyHooks } from './body.ts'
import { type EndpointHooks, endpointHooks } from './endpoints.ts'
import { type FieldHooks, fieldHooks } from './fields.ts'
import { type ResponseHooks, responseHooks } from './responses.ts'
import { type SigningHooks, signingHooks } from './signing.ts'

/**
 * All decisions of the platform simulator, by name. A profile sets them, and a defect replaces one. The stages of the
 * pipeline call the hooks and decide nothing themselves.
 */
export type PlatformHooks = AuthenticationHooks &
  SigningHooks &
  EndpointHooks &
  BodyHooks &
  FieldHooks &
  AccountsHooks &
  ResponseHooks

/** Receives all hooks and returns those to replace, e.g. to make a defect. */
export type PlatformOverride = (hooks: PlatformHooks) => Partial<PlatformHooks>

/** The hooks of a server with this profile. */
export function platformHooksFor(
  profile: PlatformProfile,
  { groups, vendor }: { readonly groups: readonly string[]; readonly vendor: string },
): PlatformHooks {
  return {
    ...authenticationHooks(profile),
    ...signingHooks(profile, vendor),
    ...endpointHooks(profile),
    ...bodyHooks(profile),
    ...fieldHooks(profile, groups),
    ...accountsHooks(profile),
    ...responseHooks(profile),
  }
}
