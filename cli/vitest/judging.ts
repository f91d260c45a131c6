import { mkdir } from 'node:fs/promises'
import { pluginChecks } from '../../suites/cases/all.ts'
import type { Check } from '../../suites/engine/check.ts'
import { createContext } from '../../suites/engine/context.ts'
import type { Outcome } from '../../suites/engine/outcome.ts'
import { plan } from '../../suites/engine/plan.ts'
import { runPlanned } from '../../suites/engine/run-plan.ts'
import { releaseFiller } from '../../suites/engine/settle.ts'
import { attest } from '../run/attest.ts'
import { refuseUnfinished } from '../run/consent.ts'
import { openTarget } from '../run/open-target.ts'
import type { RunOptions } from '../run/options.ts'
import { preflight } from '../run/preflight.ts'
import { judgeSettings, keepSafe, planFor, withinReach } from '../run/run.ts'

/** A server under judgement, check by check. */
export interface Judging {
  readonly judge: (check: Check) => Promise<Outcome>
  /** Takes away what is left of the kit, and the server where the kit started it. @throws LeftBehindError */
  readonly end: () => Promise<void>
}

/** The list of rules was not left as it was found. */
export class LeftBehindError extends Error {
  override readonly name = 'LeftBehindError'
  readonly hint = 'The message says what differs and how to mend it.'
}

/**
 * Everything that comes before the first check: the same precautions as those of `copytrade-tck run`.
 *
 * @throws UnreachableError, UsageError
 */
export async function beginJudging(wanted: RunOptions): Promise<Judging> {
  const startedAt = new Date()
  if (wanted.target.kind === 'url') refuseUnfinished(wanted.target.url, wanted.out)
  await mkdir(wanted.out, { recursive: true })
  const open = await openTarget(wanted)
  try {
    const found = await preflight(createContext(judgeSettings(wanted, open), open.driver))
    const options = withinReach(wanted, open, found)
    const settings = judgeSettings(options, open)
    const planned = planFor(options, open)
    const safety = await keepSafe({ settings, planned, found, options, startedAt })
    const context = createContext({ ...settings, safety }, open.driver)
    const byId = new Map(planned.map((one) => [one.id, one]))
    return {
      judge: (check) => {
        const one = byId.get(check.id)
        if (one === undefined) throw new Error(`the check ${check.id} was not planned`)
        return runPlanned(one, check, context)
      },
      end: async () => {
        try {
          await releaseFiller(context)
          const harm = await attest(context, found.list)
          if (harm?.restored === false) throw new LeftBehindError(harm.differences.join('\n'))
        } finally {
          await open.driver?.discardAll()
        }
      },
    }
  } catch (error) {
    await open.driver?.discardAll()
    throw error
  }
}

/** The checks that were chosen, in the order in which they must run. */
export function chosenChecks({ only = [], skip = [] }: Partial<Pick<RunOptions, 'only' | 'skip'>>): readonly Check[] {
  const byId = new Map(pluginChecks.map((check) => [check.id, check]))
  const chosen = plan({ checks: pluginChecks, risk: 'exclusive', capabilities: [], only, skip })
  return chosen.flatMap(({ id }) => byId.get(id) ?? [])
}
