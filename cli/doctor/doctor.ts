import { paintFor } from '../../reports/paint.ts'
import { redactorFor } from '../../suites/runner/shared.ts'
import { UsageError } from '../command-error.ts'
import { exitCode } from '../exit-code.ts'
import { readKey } from '../options/read-files.ts'
import { defaultRunFlags, type RunFlags } from '../options/run-definitions.ts'
import { resolveRunOptions } from '../options/run-options.ts'
import { apis } from '../target/apis.ts'
import type { DoctorFlags } from './command.ts'
import { type ExaminedTarget, renderJson, renderText, sanitised } from './render.ts'

/** Examines servers with reads only, prints the findings and returns the exit code. */
export async function doctor({ json, ...flags }: DoctorFlags): Promise<number> {
  const targets = await targetsOf(flags)
  const redact = redactorFor(targets)
  const examined: ExaminedTarget[] = []
  for (const target of targets) {
    const result = sanitised(await target.examine(redact), redact)
    examined.push({ api: target.api, url: redact(target.url), result, conclusions: target.conclusions })
  }
  process.stdout.write(json ? renderJson(examined) : renderText(examined, paintFor(process.stdout)))
  return examined.some(({ result }) => result.risk === null) ? exitCode.unreachable : exitCode.conformant
}

/**
 * The servers to examine. The flags are resolved as for `run`, so that both commands reach the same servers with the
 * same keys.
 *
 * @throws {UsageError} for a bad URL, or a missing target
 */
async function targetsOf(flags: Partial<RunFlags>) {
  const hasKey = readKey(flags) !== null
  // A placeholder that is never sent: without a key only the examinations that need none run.
  const key = hasKey ? {} : { apiKey: 'none' }
  const resolved = resolveRunOptions({ ...defaultRunFlags(), ...flags, ...key, plan: true })
  const servers = apis.map(async (api) => ({ api: api.name, server: (await api.examined?.(resolved, hasKey)) ?? null }))
  const targets = (await Promise.all(servers)).flatMap(({ api, server }) =>
    server === null ? [] : [{ api, ...server }],
  )
  if (targets.length > 0) return targets
  throw new UsageError('`doctor` requires a target.', 'Give `--target <url>`, `--platform-url <url>` or both.')
}
