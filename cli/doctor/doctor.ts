import { paintFor } from '../../reports/paint.ts'
import { proxySecrets } from '../../suites/client/transport.ts'
import { type ApiSettings, redactorFor } from '../../suites/runner/shared.ts'
import { UsageError } from '../command-error.ts'
import { exitCode } from '../exit-code.ts'
import { readKey } from '../options/read-files.ts'
import { defaultRunFlags, type RunFlags } from '../options/run-definitions.ts'
import { resolveRunOptions } from '../options/run-options.ts'
import { type Diagnosis, examineAll } from './examination.ts'
import { createPlatformLook, type PlatformDoctorOptions, platformExaminations } from './platform/examinations.ts'
import { createPluginLook, type PluginDoctorOptions } from './plugin/context.ts'
import { pluginExaminations } from './plugin/examinations.ts'
import { type ExaminedTarget, harmless, renderJson, renderText } from './render.ts'

/** What the command line of `doctor` holds. */
export interface DoctorFlags extends Partial<RunFlags> {
  readonly json: boolean
}

/** A server that `doctor` examines. */
export interface DoctorTarget extends Pick<ApiSettings, 'target' | 'secrets'> {
  readonly api: string
  readonly url: string
  /** Sends only reads; `redact` removes the secrets from what is kept of them. */
  examine(redact: (text: string) => string): Promise<Diagnosis>
  /** The last line, by what a run may do to the server: nothing, only read, or anything. */
  readonly conclusions: Readonly<Record<'none' | 'read' | 'any', string>>
}

/** Examines servers by reading alone, prints what was found and returns the exit code. */
export async function doctor({ json, ...flags }: DoctorFlags): Promise<number> {
  const targets = targetsOf(flags)
  const redact = redactorFor(targets)
  const examined: ExaminedTarget[] = []
  for (const target of targets) {
    const diagnosis = harmless(await target.examine(redact), redact)
    examined.push({ api: target.api, url: redact(target.url), diagnosis, conclusions: target.conclusions })
  }
  process.stdout.write(json ? renderJson(examined) : renderText(examined, paintFor(process.stdout)))
  return examined.some(({ diagnosis }) => diagnosis.risk === null) ? exitCode.unreachable : exitCode.conformant
}

/**
 * The servers to examine: a plugin, a platform, or both. The flags are resolved as for `run`, so that
 * both commands reach the same servers with the same keys.
 *
 * @throws {UsageError} for a bad URL, or a missing target
 */
function targetsOf(flags: Partial<RunFlags>): readonly DoctorTarget[] {
  const hasKey = readKey(flags) !== null
  // Some examinations need no key; then this one is not sent.
  const key = hasKey ? {} : { apiKey: 'none' }
  const resolved = resolveRunOptions({ ...defaultRunFlags(), ...flags, ...key, plan: true })
  const { target, platform, lifeCycle, timeoutMs, logins, capacity } = resolved
  const terms = { lifeCycle, timeoutMs, logins, capacity }
  if (target.kind === 'simulator') {
    throw new UsageError('`doctor` requires a target.', 'Give `--target <url>`, `--platform-url <url>` or both.')
  }
  return [
    ...(target.kind === 'url' ? [pluginTarget({ ...target, ...(hasKey ? {} : { key: null }), ...terms })] : []),
    ...(platform?.kind === 'url' ? [platformTarget({ ...platform, timeoutMs })] : []),
  ]
}

/** A plugin to examine. */
function pluginTarget(options: PluginDoctorOptions): DoctorTarget {
  const { key, url, transport } = options
  return {
    ...{ api: 'plugin', url, target: { key: key ?? '' } },
    secrets: [...(key === null ? [] : [key]), ...proxySecrets(transport)],
    examine: (redact) => examineAll(pluginExaminations, createPluginLook(options, redact)),
    conclusions: {
      none: 'Not ready: the target cannot be judged.',
      read: 'Ready for `--risk read`. Writing is unsafe until the problem above is fixed.',
      any: 'Ready for any `--risk`.',
    },
  }
}

const ready = 'Ready. With `--risk write` and `--group <slug>` a run creates demo accounts.'

/** A platform to examine. */
function platformTarget(options: PlatformDoctorOptions): DoctorTarget {
  const { key, secret, url, transport } = options
  return {
    ...{ api: 'platform', url, target: { key } },
    secrets: [key, secret ?? '', ...proxySecrets(transport)],
    examine: (redact) => examineAll(platformExaminations, createPlatformLook(options, redact)),
    conclusions: { none: 'Not ready: the platform cannot be judged.', read: ready, any: ready },
  }
}
