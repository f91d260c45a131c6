import { type Check, type CheckHeader, checks as checksOf } from '../../session/check.ts'
import type { LaunchedServer, Session } from '../../session/session.ts'

export const reading = { risk: 'read' } as const
export const writing = { risk: 'write' } as const
export const exclusive = { risk: 'exclusive' } as const
/** Judge responses only; other checks judge whether acknowledged changes take effect. */
export const judgingResponses = { ...writing, tolerates: ['no effect'] } as const
/** Tolerates any response, none, and changes without an effect. */
export const anyResponse = ['no effect', 'rejection', 'end of connection'] as const
export const ownServer = { ...writing, needs: ['launch'] } as const
/** Allow foreign rules in the list, so a target that can be restarted is sufficient. */
export const restarting = { ...writing, needs: ['restart'] } as const

export const checks = checksOf<Session>

/** Checks that first start a server: one of their own with an empty list, or the target by a restart. */
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
