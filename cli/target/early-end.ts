import { levelCounts } from '../../reports/phrases.ts'
import { platformRequirements } from '../../spec/platform/requirements.ts'
import { pluginRequirements } from '../../spec/plugin/requirements.ts'
import type { Level } from '../../spec/requirement.ts'
import type { Outcome } from '../../suites/runner/outcome.ts'
import { Interruption } from '../interruption.ts'
import type { RunOptions } from '../options/run-options.ts'
import { runCases } from './apis.ts'

/** What ends a run before its last check, besides a signal of the process. */
export interface EarlyEnd extends Disposable {
  readonly signal: AbortSignal
  /** Counts the failures. */
  see(outcome: Outcome): void
}

const levels = new Map<string, Level>(
  [...pluginRequirements, ...platformRequirements].map(({ id, level }) => [id, level]),
)

/** Ends a run after `--max-time`, or after the failures of `--bail`. */
export function createEarlyEnd({
  maxTimeMs,
  bail,
  strict,
}: Pick<RunOptions, 'maxTimeMs' | 'bail' | 'strict'>): EarlyEnd {
  const controller = new AbortController()
  const end = (message: string) => controller.abort(new Interruption(message))
  const timer = maxTimeMs === null ? null : setTimeout(end, maxTimeMs, '`--max-time` is over')
  timer?.unref()
  const deciding = new Set(
    runCases
      .filter((one) => 'requirement' in one && levelCounts(levels.get(one.requirement) ?? 'required', strict))
      .map(({ id }) => id),
  )
  let failures = 0
  return {
    signal: controller.signal,
    see({ check, status }) {
      if (status !== 'failed' || !deciding.has(check)) return
      failures += 1
      if (failures === bail) end(`\`--bail ${bail}\` is reached`)
    },
    [Symbol.dispose]: () => clearTimeout(timer ?? undefined),
  }
}
