/** What many checks of the plugin have in common. */
export const reading = { risk: 'read' } as const
export const writing = { risk: 'write' } as const
/** They judge responses; whether what is acknowledged takes place is for other checks. */
export const judgingResponses = { ...writing, tolerates: ['no effect'] } as const
export const ownServer = { ...writing, needs: ['launch'] } as const
/** They allow foreign rules in the list, so a server that can be restarted is enough. */
export const restarting = { ...writing, needs: ['restart'] } as const
