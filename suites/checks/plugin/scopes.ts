import { type Check, type CheckHeader, checks } from '../../session/check.ts'
import type { LaunchedServer } from '../../session/servers.ts'
import type { Session } from '../../session/session.ts'

/** What many checks of the plugin have in common. */
export const reading = { risk: 'read' } as const
export const writing = { risk: 'write' } as const
export const exclusive = { risk: 'exclusive' } as const
/** They judge responses; whether what is acknowledged takes place is for other checks. */
export const judgingResponses = { ...writing, tolerates: ['no effect'] } as const
export const ownServer = { ...writing, needs: ['launch'] } as const
/** They allow foreign rules in the list, so a server that can be restarted is enough. */
export const restarting = { ...writing, needs: ['restart'] } as const

/** Checks of servers that are started first: empty ones of the kit's own, or those that are restarted. */
export function serverChecks(
  header: CheckHeader & Pick<Required<CheckHeader>, 'needs'>,
  requirement: string,
  runs: Readonly<Record<`CT-${number} ${string}`, (server: LaunchedServer, session: Session) => Promise<void>>>,
): readonly Check[] {
  const list = header.needs.includes('launch') ? 'empty' : 'any'
  const launched = Object.entries(runs).map(([name, run]) => [
    name,
    async (session: Session) => run(await session.launch({ list }), session),
  ])
  return checks(header, requirement, Object.fromEntries(launched))
}
