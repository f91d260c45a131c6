/** The risk and the needs that many checks of the plugin share. */
export const ownServer = { risk: 'write', needs: ['launch'] } as const
