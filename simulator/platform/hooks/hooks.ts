import type { PlatformProfile } from '../profile/profile.ts'
import { accountsHooks } from './accounts.ts'
import { authenticationHooks } from './authentication.ts'
import { bodyHooks } from './body.ts'
import { endpointHooks } from './endpoints.ts'
import { fieldHooks } from './fields.ts'
import { responseHooks } from './responses.ts'
import { signingHooks } from './signing.ts'

/**
 * All decisions of the platform simulator, by name. A profile sets them, and a defect replaces one. The stages of the
 * pipeline call the hooks and decide nothing themselves.
 */
export interface PlatformHooks extends ReturnType<typeof platformHooksFor> {}

/** Receives all hooks and returns those to replace, e.g. to make a defect. */
export type PlatformOverride = (hooks: PlatformHooks) => Partial<PlatformHooks>

/** The hooks of a server with this profile. */
export function platformHooksFor(
  profile: PlatformProfile,
  { groups, vendor }: { readonly groups: readonly string[]; readonly vendor: string },
) {
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
