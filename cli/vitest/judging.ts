import { pluginChecks } from '../../suites/checks/plugin/all.ts'
import { createRunContext } from '../../suites/runner/context.ts'
import type { Outcome } from '../../suites/runner/outcome.ts'
import { plan } from '../../suites/runner/plan.ts'
import { releaseAll, runPlanned } from '../../suites/runner/run-plan.ts'
import type { Check } from '../../suites/session/check.ts'
import type { RunOptions } from '../options/run-options.ts'
import { planAll, prepare } from '../target/plan.ts'
import { type Visit, visit } from '../target/session.ts'

/** A server under judgement, check by check. */
export interface Judging {
  readonly judge: (check: Check<never>) => Promise<Outcome>
  /** Takes away what is left of the kit, and the server where the kit started it. @throws LeftBehindError */
  readonly end: () => Promise<void>
}

/** The list of rules was not left as it was found. */
export class LeftBehindError extends Error {
  override readonly name = 'LeftBehindError'
  readonly hint = 'The message says what differs and how to mend it.'
}

/**
 * Everything that comes before the first check: the same precautions as those of `copytrade-tck run`,
 * in a visit that lasts until `end`.
 *
 * @throws UnreachableError, UsageError
 */
export function beginJudging(options: RunOptions): Promise<Judging> {
  const { signal } = new AbortController()
  return new Promise((resolve, reject) => {
    const visited = visit<void>({
      ...prepare({ options, cases: pluginChecks, verb: 'Judging', signal }),
      work: (ready) => new Promise((over) => resolve(judgingOf(ready, over, () => visited))),
    })
    visited.catch(reject)
  })
}

function judgingOf(
  { options, open, settings, driver }: Visit,
  over: () => void,
  visited: () => ReturnType<typeof visit<void>>,
): Judging {
  const context = createRunContext(settings, driver)
  const byId = new Map(planAll(pluginChecks, options, open).map((one) => [one.id, one]))
  return {
    judge: (check) => {
      const one = byId.get(check.id)
      if (one === undefined) throw new Error(`the check ${check.id} was not planned`)
      return runPlanned(one, check, context)
    },
    end: async () => {
      await releaseAll(context).finally(over)
      const harm = (await visited())?.harm
      if (harm?.restored === false) throw new LeftBehindError(harm.differences.join('\n'))
    },
  }
}

/** The checks that were chosen, in the order in which they must run. */
export function chosenChecks(
  checks: readonly Check<never>[],
  { only = [], skip = [] }: Partial<Pick<RunOptions, 'only' | 'skip'>>,
): readonly Check<never>[] {
  const byId = new Map(checks.map((check) => [check.id, check]))
  const chosen = plan({ checks, risk: 'exclusive', capabilities: [], only, skip })
  return chosen.flatMap(({ id }) => byId.get(id) ?? [])
}
