import { checks as checksOf } from '../../session/check.ts'
import type { PlatformSession } from '../../session/platform-session.ts'

export const reading = { risk: 'read', needs: ['platform'] } as const
export const readingSigned = { risk: 'read', needs: ['platform', 'platform-secret'] } as const
/** Sends the API Secret itself, which is only used to sign: the logs of a platform in use would keep it. */
export const disclosing = { risk: 'read', needs: ['platform', 'platform-secret', 'disposable-platform'] } as const
export const creating = { risk: 'write', needs: ['platform', 'platform-group'] } as const
export const creatingOne = { ...creating, creates: 1 } as const
export const creatingSigned = { risk: 'write', needs: ['platform', 'platform-secret', 'platform-group'] } as const
/** Uses the sample account that these checks share. */
export const sampling = { ...creating, creates: 'sample' } as const
/** May create an account with another name or group, or with unknown content. */
export const disposableOnly = { risk: 'write', needs: ['platform', 'platform-group', 'disposable-platform'] } as const

/** Judges responses only; the checks of the list judge the list. */
export const judgingResponses = { tolerates: ['no effect'] } as const

export const checks = checksOf<PlatformSession>
