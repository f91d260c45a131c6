import { afterAll, beforeAll, describe, test } from 'vitest'
import type { Requirement } from '../../spec/requirement.ts'
import type { Outcome } from '../../suites/runner/outcome.ts'
import type { Check } from '../../suites/session/check.ts'
import type { RunOptions } from '../options/run-options.ts'
import { apis } from '../target/apis.ts'
import { pluginApi } from '../target/plugin/api.ts'
import { beginJudging, chosenChecks, FailedCheckError, type Judging } from './judging.ts'
import {
  type ConformanceOptions,
  type ConformanceTarget,
  resolveConformance,
  resolveSimulators,
  seedOf,
} from './options.ts'

/** Far more than any check needs: it only ends checks that hang. */
const checkTimeoutMs = 300_000

const requirements = new Map(apis.flatMap((api) => api.requirements).map((one) => [one.id, one]))

/** The names of the checks so far, by result. */
interface Tally {
  judged: number
  readonly unjudged: string[]
  readonly outOfScope: string[]
}

/**
 * Puts the kit's checks into a Vitest suite, each as a test. A failed check fails its test with the expected and the
 * actual response and a way to reproduce it. A check that could not be judged is skipped with the reason. The last test
 * fails if nothing was judged, or if a check in scope was not. Running servers are safe: as with `copytrade-tck run`,
 * they are only read unless `risk` allows more, and rules that the kit adds are removed afterwards.
 */
export function describePluginConformance(target: ConformanceTarget): void {
  describeChecks(pluginApi.checks, target, (seed) => resolveConformance(target, seed))
}

/** The same for the embedded simulators, with the checks of the plugin and the platform. */
export function describeSimulatorConformance(options: ConformanceOptions): void {
  const checks = apis.flatMap((api) => api.checks)
  describeChecks(checks, options, async (seed) => resolveSimulators(options, seed))
}

function describeChecks(
  checks: readonly Check<never>[],
  options: ConformanceOptions,
  resolve: (seed: number) => Promise<RunOptions>,
): void {
  const { title = 'conformance of the plugin', strict = false, complete = false } = options
  const seed = seedOf(options)
  const tally: Tally = { judged: 0, unjudged: [], outOfScope: [] }
  const decides = ({ requirement }: Check<never>) => strict || requirements.get(requirement)?.level === 'required'

  // The order of the checks matters: those that fill the list come last.
  describe(title, { concurrent: false, shuffle: false, retry: 0, timeout: checkTimeoutMs }, () => {
    let judging: Judging
    beforeAll(async () => {
      judging = await beginJudging(await resolve(seed))
    }, checkTimeoutMs)
    afterAll(() => judging?.end(), checkTimeoutMs)

    for (const check of chosenChecks(checks, options)) {
      test(`${check.id} ${check.title}`, async ({ skip }) => {
        const outcome = await judging.judge(check)
        const reason = countOutcome({ check, outcome, tally, seed, decides: decides(check) })
        if (reason !== null) skip(reason)
      })
    }
    test('something was judged, and nothing in scope was left unjudged', () => requireJudged(tally, complete))
  })
}

interface Judged {
  readonly check: Check<never>
  readonly outcome: Outcome
  readonly tally: Tally
  readonly seed: number
  /** Whether the level of the requirement counts for the verdict. */
  readonly decides: boolean
}

/** Returns why the test is skipped; null if it passed. @throws FailedCheckError */
function countOutcome({ check, outcome, tally, seed, decides }: Judged): string | null {
  const { status, message, stop } = outcome
  const reason = message ?? status
  const name = `${check.id} ${check.title}: ${reason}`
  if (status === 'error' || stop === 'unreachable') throw new Error(reason)
  if (status === 'passed' || status === 'failed') tally.judged += 1
  if (status === 'blocked' && decides) tally.unjudged.push(name)
  if (status === 'out-of-scope') tally.outOfScope.push(name)
  if (status === 'passed') return null
  if (status !== 'failed') return `${status}: ${reason}`
  const failure = new FailedCheckError(requirementOf(check), outcome, seed)
  if (decides) throw failure
  return `a finding that does not decide without strict: ${failure.message}`
}

function requirementOf(check: Check<never>): Requirement {
  const requirement = requirements.get(check.requirement)
  if (requirement === undefined) throw new Error(`the check ${check.id} judges an unknown requirement`)
  return requirement
}

/** An unjudged check must not look like success. */
function requireJudged({ judged, unjudged, outOfScope }: Tally, complete: boolean): void {
  const rest = complete ? [...unjudged, ...outOfScope] : unjudged
  if (rest.length > 0) throw new Error(`Could not be judged:\n${rest.map((name) => `  ${name}`).join('\n')}`)
  if (judged === 0)
    throw new Error(`No check could judge anything:\n${outOfScope.map((name) => `  ${name}`).join('\n')}`)
}
