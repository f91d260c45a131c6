import { describe, expect, test } from 'vitest'
import { isProof, seed, someOf } from '../../fixtures/test-size.ts'
import { platformChecks } from '../../suites/checks/platform/all.ts'
import { pluginChecks } from '../../suites/checks/plugin/all.ts'
import type { Check, Tolerance } from '../../suites/session/check.ts'
import { faults, type RunWith, runPlatformWith, runPluginWith, toleranceOf } from './hollow-passes.ts'

/** A check with more requests repeats itself. */
const maxSteps = 60

/** For each check, this many of its requests are tried with every change. The proof tries all. */
const drawnSteps = 8

interface HollowPass {
  readonly step: string
  readonly tolerance: Tolerance
}

/**
 * The requests without which a check still passes: a correct server accepts them, and here they are rejected, lost or
 * have no effect.
 */
async function hollowPasses(check: Check<never>, runWith: RunWith = runPluginWith): Promise<readonly HollowPass[]> {
  const right = await runWith(check, null, seed)
  expect(right.outcome, check.id).toMatchObject({ status: 'passed' })
  const succeeded = right.seen
    .map(({ line, status }, at) => ({ line, status, at }))
    .filter(({ status, at }) => status !== null && status < 300 && at < maxSteps)
  const passes: HollowPass[] = []
  for (const { at, line } of someOf(succeeded, drawnSteps)) {
    for (const fault of faults) {
      if (fault === 'ignored' && !/^(POST|DELETE)/.test(line)) continue
      const step = `${line} (request ${at + 1}), ${fault}`
      const { outcome, seen } = await runWith(check, { at, fault }, seed)
      expect(outcome.status, `${check.id}, ${step}: ${outcome.message}`).not.toBe('error')
      // A lost read is repeated.
      const isRepeated = fault === 'lost' && seen.length > right.seen.length
      if (outcome.status === 'passed' && !isRepeated) passes.push({ step, tolerance: toleranceOf[fault] })
    }
  }
  return passes
}

const drawnChecks: readonly (readonly [string, Check<never>, RunWith])[] = [
  ...someOf(pluginChecks, 20).map((check) => [check.id, check, runPluginWith] as const),
  ...someOf(platformChecks, 8).map((check) => [check.id, check, runPlatformWith] as const),
]

describe(`law 5 (TCK_SEED=${seed})`, () => {
  test.for(drawnChecks)(
    '%s depends on each of its requests, except for what it declares',
    { timeout: 600_000 },
    async ([, check, runWith]) => {
      const passes = await hollowPasses(check, runWith)
      const { tolerates = [] } = check
      expect(passes.filter(({ tolerance }) => !tolerates.includes(tolerance))).toEqual([])
      // A tolerance that a check declares and does not need is out of date. A few steps do not show it.
      const unused = tolerates.filter((one) => !passes.some(({ tolerance }) => tolerance === one))
      if (isProof) expect(unused).toEqual([])
    },
  )

  test('finds a check that ignores the result of its requests', async () => {
    const hollow: Check = {
      id: 'CT-1',
      requirement: 'plugin.persist.list',
      title: 'A rule is removed, or not',
      risk: 'write',
      async run({ rules, plugin }) {
        const draft = rules.draft()
        await plugin.add(draft)
        await plugin.remove((await rules.read()).find(({ follower }) => follower === draft.follower)?.index ?? 0)
      },
    }
    const found = await hollowPasses(hollow)
    expect(new Set(found.map(({ tolerance }) => tolerance))).toEqual(new Set(['rejection', 'no effect']))
  })
})
