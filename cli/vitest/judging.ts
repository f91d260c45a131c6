import type { Requirement } from '../../spec/requirement.ts'
import type { Outcome } from '../../suites/runner/outcome.ts'
import { type PlannedCheck, plan } from '../../suites/runner/plan.ts'
import { releaseAll, runPlanned } from '../../suites/runner/run-plan.ts'
import type { Check } from '../../suites/session/check.ts'
import type { RunOptions } from '../options/run-options.ts'
import { apis } from '../target/apis.ts'
import { planChecks, requireChecks } from '../target/plan.ts'
import { consent, describe, inspect, judgedIn, openTarget, type ReadySession, verifyAfter } from '../target/session.ts'

/** Judges a server check by check. */
export interface Judging {
  readonly judge: (check: Check<never>) => Promise<Outcome>
  /** Removes the remaining rules of the kit and stops a server that it started. @throws LeftBehindError */
  readonly end: () => Promise<void>
}

/** The list of rules was not restored. */
export class LeftBehindError extends Error {
  override readonly name = 'LeftBehindError'
  readonly hint = 'The message says what differs and how to restore it.'
}

/**
 * Prepares a target session with the safety measures of `copytrade-tck run`. It lasts until `end`.
 *
 * @throws UnreachableError, UsageError
 */
export async function beginJudging(options: RunOptions): Promise<Judging> {
  const checks = apis.flatMap((api) => api.checks)
  requireChecks(options, apis, checks)
  const target = await openTarget(apis, options, new AbortController().signal)
  try {
    await inspect(target)
    process.stdout.write(`Judging ${describe(target)}\n`)
    const planned = planChecks(target, checks)
    return judgingOf(await consent(target, planned), planned)
  } catch (error) {
    await target[Symbol.asyncDispose]()
    throw error
  }
}

function judgingOf(session: ReadySession, planned: readonly PlannedCheck[]): Judging {
  const byId = new Map(planned.map((one) => [one.id, one]))
  const judged = judgedIn(session)
  return {
    judge: (check) => {
      const one = byId.get(check.id)
      if (one === undefined) throw new Error(`the check ${check.id} was not planned`)
      return runPlanned(one, judged)
    },
    end: async () => {
      await using _ = session
      const { harm } = await verifyAfter(session, () => releaseAll(judged))
      if (harm?.restored === false) throw new LeftBehindError(harm.differences.join('\n'))
    },
  }
}

/** The chosen checks in the order in which they must run. */
export function chosenChecks(
  checks: readonly Check<never>[],
  { only = [], skip = [] }: Partial<Pick<RunOptions, 'only' | 'skip'>>,
): readonly Check<never>[] {
  const byId = new Map(checks.map((check) => [check.id, check]))
  const chosen = plan({ checks, risk: 'exclusive', capabilities: [], only, skip })
  return chosen.flatMap(({ id }) => byId.get(id) ?? [])
}

/** The target breaks a requirement. Vitest shows `expected` and `actual` side by side. */
export class FailedCheckError extends Error {
  override readonly name = 'FailedCheckError'
  readonly expected: string | null
  readonly actual: string | null
  /** The request with the wrong response as a shell command, the key as `$TCK_API_KEY`; null if it alone shows nothing. */
  readonly curl: string | null
  /** A shell script that shows the failure, or says why none can; null if nothing was sent. */
  readonly script: string | null
  readonly hint: string

  constructor(requirement: Requirement, { check, message, expected, actual, curl, script }: Outcome, seed: number) {
    const lines = [
      `${message}`,
      ...(expected === null ? [] : [`  expected: ${expected}`, `  actual:   ${actual}`]),
      `${requirement.id} (clause ${requirement.clause}, ${requirement.level}): ${requirement.statement}`,
      ...(curl === null ? [] : [`Send it again: ${curl}`]),
      ...(curl === null && script !== undefined ? [`Reproduce it with this script:\n${script}`] : []),
      `The seed was ${seed}.`,
    ]
    super(lines.join('\n'))
    this.expected = expected
    this.actual = actual
    this.curl = curl
    this.script = script ?? null
    this.hint = `copytrade-tck run --only ${check} --seed ${seed} shows every request of this check.`
  }
}
