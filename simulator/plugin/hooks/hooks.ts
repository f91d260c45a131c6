import type { Profile } from '../profile/profile.ts'
import { defaultWording, type Wording } from '../profile/wording.ts'
import { authenticationHooks } from './authentication.ts'
import { bodyHooks } from './body.ts'
import { endpointHooks } from './endpoints.ts'
import { fieldHooks } from './fields.ts'
import { loginHooks } from './login.ts'
import { responseHooks } from './responses.ts'
import { indexHooks } from './rule-index.ts'
import { rulesHooks } from './rules.ts'
import { savingHooks } from './saving.ts'
import { startUpHooks } from './start-up.ts'

/**
 * All decisions of the simulator, by name. A profile sets them, and a defect replaces one. The stages of the pipeline
 * call the hooks and decide nothing themselves.
 */
export interface Hooks extends ReturnType<typeof hooksFor> {}

/** Receives all hooks and returns those to replace, e.g. to make a defect. The rules file identifies the server. */
export type Override = (hooks: Hooks, rulesFile?: object) => Partial<Hooks>

/** The hooks of a server with this profile and this wording. */
export function hooksFor(profile: Profile, wording: Wording = defaultWording) {
  return {
    ...authenticationHooks(profile, wording),
    ...endpointHooks(profile, wording),
    ...indexHooks(profile, wording),
    ...bodyHooks(profile, wording),
    ...loginHooks(profile, wording),
    ...fieldHooks(profile, wording),
    ...rulesHooks(profile, wording),
    ...savingHooks,
    ...responseHooks(wording),
    ...startUpHooks(profile),
  }
}
