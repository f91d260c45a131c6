import type { Profile } from '../profile/profile.ts'
import { defaultWording, type Wording } from '../profile/wording.ts'
import type { StartUpHooks } from '../store/start-up.ts'
import { type AuthenticationHooks, authenticationHooks } from './authentication.ts'
import { type BodyHooks, bodyHooks } from './body.ts'
import { type EndpointHooks, endpointHooks } from './endpoints.ts'
import { type FieldHooks, fieldHooks } from './fields.ts'
import { type LoginHooks, loginHooks } from './login.ts'
import { type ResponseHooks, responseHooks } from './responses.ts'
import { type IndexHooks, indexHooks } from './rule-index.ts'
import { type RulesHooks, rulesHooks } from './rules.ts'
import { type SavingHooks, savingHooks } from './saving.ts'
import { startUpHooks } from './start-up.ts'

/**
 * All decisions of the simulator, by name. A profile sets them, and a defect replaces one. The stages of the pipeline
 * call the hooks and decide nothing themselves.
 */
export type Hooks = AuthenticationHooks &
  EndpointHooks &
  IndexHooks &
  BodyHooks &
  LoginHooks &
  FieldHooks &
  RulesHooks &
  SavingHooks &
  ResponseHooks &
  StartUpHooks

/** Receives all hooks and returns those to replace, e.g. to make a defect. The rules file identifies the server. */
export type Override = (hooks: Hooks, rulesFile?: object) => Partial<Hooks>

/** The hooks of a server with this profile and this wording. */
export function hooksFor(profile: Profile, wording: Wording = defaultWording): Hooks {
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
