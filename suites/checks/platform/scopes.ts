/** The risk and the needs that many checks of the platform share. */
export const reading = { risk: 'read', needs: ['platform'] } as const
export const readingSigned = { risk: 'read', needs: ['platform', 'platform-secret'] } as const
export const creating = { risk: 'write', needs: ['platform', 'platform-group'] } as const
/** Uses the account that such checks share. */
export const sampling = { ...creating, creates: 'sample' } as const
/** May create an account with another name or group, or with unknown content. */
export const onlyOwn = { risk: 'write', needs: ['platform', 'platform-group', 'own-platform'] } as const
