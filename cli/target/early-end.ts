import { levelCounts } from '../../reports/phrases.ts'
import type { Api } from '../../suites/runner/define-api.ts'
import type { Outcome } from '../../suites/runner/outcome.ts'
import { Interruption } from '../interruption.ts'
import type { RunOptions } from '../options/run-options.ts'

/** Ends a run after `--max-time` or after the number of failures in `--bail`. */
export function createEarlyEnd(
  { maxTimeMs, bail, strict }: Pick<RunOptions, 'maxTimeMs' | 'bail' | 'strict'>,
  apis: readonly Api[],
) {
  const controller = new AbortController()
  const end = (message: string) => controller.abort(new Interruption(message))
  const timer = maxTimeMs === null ? null : setTimeout(end, maxTimeMs, '`--max-time` is over')
  timer?.unref()
  const counting = apis.flatMap(({ requirements }) => requirements).filter(({ level }) => levelCounts(level, strict))
  const requirements = new Set(counting.map(({ id }) => id))
  const checks = apis.flatMap((api) => api.checks).filter(({ requirement }) => requirements.has(requirement))
  const deciding = new Set(checks.map(({ id }) => id))
  let failures = 0
  return {
    signal: controller.signal,
    /** Counts the failures. */
    see({ check, status }: Outcome) {
      if (status !== 'failed' || !deciding.has(check)) return
      failures += 1
      if (failures === bail) end(`\`--bail ${bail}\` is reached`)
    },
    [Symbol.dispose]: () => clearTimeout(timer ?? undefined),
  }
}
