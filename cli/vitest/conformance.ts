import { randomInt } from 'node:crypto'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { checkNames } from '../../simulator/server/check-option.ts'
import type { Requirement } from '../../spec/requirement.ts'
import { apiWith } from '../../suites/runner/define-api.ts'
import type { Outcome } from '../../suites/runner/outcome.ts'
import { plan } from '../../suites/runner/plan.ts'
import { releaseAll, runPlanned, unlessStuck } from '../../suites/runner/run-plan.ts'
import type { Check } from '../../suites/session/check.ts'
import type { RunOptions } from '../options/run-options.ts'
import type { ApiUnderTest } from '../target/api.ts'
import { pluginApi } from '../target/plugin/api.ts'
import { codeOfTarget, listChangesText, openTarget, requireChecks } from '../target/session.ts'
import { type ConformanceOptions, type ConformanceTarget, optionNames, resolveConformance } from './options.ts'

/** Far longer than any check is idle: it only ends checks that hang. */
const checkTimeoutMs = 300_000

/**
 * Puts the kit's checks into a Vitest suite, each as a test. A failed check fails its test with the expected and the
 * actual response and a way to reproduce it. A check that could not be judged is skipped with the reason. The last test
 * fails if nothing was judged, or if a check in scope was not. Running servers are safe: as with `copytrade-tck run`,
 * they are only read unless `risk` allows more, and rules that the kit adds are removed afterwards. Vitest ends a worker
 * at Ctrl-C without waiting for it; then `copytrade-tck restore` removes them.
 * @throws UnknownOptionError
 */
export function describePluginConformance(target: ConformanceTarget): void {
  checkNames(target, optionNames)
  describeConformance([pluginApi], target, (seed) => resolveConformance(target, seed))
}

/** The same for any APIs. `resolve` names their servers. */
export function describeConformance(
  apis: readonly ApiUnderTest[],
  options: ConformanceOptions,
  resolve: (seed: number) => Promise<RunOptions>,
): void {
  const { title = 'conformance of the plugin', strict = false, complete = false, seed = randomInt(2 ** 31) } = options
  const checks = apis.flatMap((api) => api.checks)
  const requirements = new Map(apis.flatMap((api) => api.requirements).map((one) => [one.id, one]))
  let judged = 0
  const unjudged: string[] = []
  const outOfScope: string[] = []
  let isConcluded = false
  const conclude = () => {
    isConcluded = true
    const rest = complete ? [...unjudged, ...outOfScope] : unjudged
    if (rest.length > 0) throw new Error(`Could not be judged:\n${rest.join('\n')}`)
    if (judged === 0) throw new Error(`No check could judge anything:\n${outOfScope.join('\n')}`)
  }

  // The order of the checks matters: those that fill the list come last. Vitest would begin the next one at its limit.
  describe(title, { concurrent: false, shuffle: false, retry: 0, timeout: 0 }, () => {
    let judging: Awaited<ReturnType<typeof beginJudging>>
    beforeAll(async () => {
      judging = await beginJudging(apis, await resolve(seed))
    }, checkTimeoutMs)
    afterAll(async () => {
      await judging?.end()
      // With `vitest -t <id>` the last test does not run.
      if (judging !== undefined && !isConcluded) conclude()
    }, 0)

    for (const check of chosenChecks(checks, options)) {
      const requirement = requirements.get(check.requirement)
      if (requirement === undefined) throw new Error(`the check ${check.id} judges an unknown requirement`)
      const decides = strict || requirement.level === 'required'
      test(`${check.id} ${check.title}`, async ({ skip }) => {
        const outcome = await judging.judge(check)
        const { status, message, stop } = outcome
        const reason = message ?? status
        const line = `  ${check.id} ${check.title}: ${reason}`
        if (status === 'error' || stop === 'unreachable') throw new Error(reason)
        if (status === 'passed' || status === 'failed') judged += 1
        if (status === 'blocked') unjudged.push(line)
        if (status === 'out-of-scope') outOfScope.push(line)
        if (status === 'passed') return
        if (status !== 'failed') return skip(`${status}: ${reason}`)
        const failure = new FailedCheckError(requirement, outcome, seed)
        if (decides) throw failure
        skip(`a finding that does not decide without strict: ${failure.message}`)
      })
    }
    test('something was judged, and nothing in scope was left unjudged', conclude)
  })
}

/** A target session with the safety of `copytrade-tck run`, until `end`. @throws UnreachableError, UsageError */
async function beginJudging(apis: readonly ApiUnderTest[], options: RunOptions) {
  const checks = apis.flatMap((api) => api.checks)
  requireChecks(options, apis, checks)
  const target = await openTarget(apis, options, new AbortController().signal)
  try {
    await target.inspect()
    process.stdout.write(`Judging ${target.describe()}\n`)
    const planned = target.plan(checks)
    const session = await target.consent(planned)
    if (session.main.kind === 'url' && session.main.risk !== 'read') {
      process.stdout.write('If Vitest is interrupted, `copytrade-tck restore` removes the rules of the kit.\n')
    }
    const { driver, shared } = session
    const { progress } = shared
    const judged = session.apis.map(({ api, settings }) => api.judged(settings, driver, shared))
    return {
      judge(check: Check<never>): Promise<Outcome> {
        const one = planned.find(({ id }) => id === check.id)
        if (one === undefined) throw new Error(`the check ${check.id} was not planned`)
        const { context } = apiWith(judged, check.id).api
        return unlessStuck(check.id, runPlanned(one, judged), { progress, checkTimeoutMs }, () => context.sendOnly(0))
      },
      /** Removes the remaining rules of the kit and stops a server that it started. @throws LeftBehindError */
      async end() {
        await using _ = session
        const { harm } = await session.verifyAfter(() => releaseAll(judged))
        if (codeOfTarget(session.apis, harm) !== null) throw new LeftBehindError(listChangesText(harm))
      },
    }
  } catch (error) {
    await target[Symbol.asyncDispose]()
    throw error
  }
}

/** The chosen checks in the order in which they must run. */
function chosenChecks(checks: readonly Check<never>[], { only = [], skip = [] }: ConformanceOptions) {
  const byId = new Map(checks.map((check) => [check.id, check]))
  const chosen = plan({ checks, risk: 'exclusive', capabilities: [], only, skip })
  return chosen.flatMap(({ id }) => byId.get(id) ?? [])
}

/** The list of rules was not restored, or the server no longer responds. */
export class LeftBehindError extends Error {
  override readonly name = 'LeftBehindError'
  readonly hint = 'The message says how the server was left, and how to restore what differs.'
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
