import { randomInt } from 'node:crypto'
import { resolve } from 'node:path'
import type { Risk } from '../../suites/session/check.ts'
import { UsageError } from '../command-error.ts'
import type { Environment } from '../transport/proxy.ts'
import { readUrl, resolveTransport } from '../transport/resolve.ts'
import { type LifeCycle, requireTerminal, resolveLifeCycle } from './life-cycle-options.ts'
import { type PlatformChoice, resolvePlatform } from './platform-options.ts'
import { readKey } from './read-files.ts'
import { defaultRunFlags, type RunFlags } from './run-definitions.ts'

export type { RunFlags }

/** What a run prints. `quiet` is `--quiet`. */
export type ReporterName = RunFlags['reporter'] | 'quiet'

export type TargetChoice = ReturnType<typeof chooseTarget>

/** The resolved options of a run. Null stands for an option without a value. */
export type RunOptions = Readonly<ReturnType<typeof resolveRunOptions>>

/**
 * Resolves flags, environment and defaults into complete options. `beside` is the URL of another server of the command,
 * which may be the one that the certificate options are for. @throws {UsageError} for unusable flags
 */
export function resolveRunOptions(
  given: Partial<RunFlags>,
  env: Environment = process.env,
  beside: string | undefined = given.platformUrl,
) {
  const flags: RunFlags = { ...defaultRunFlags(), ...given }
  const named = resolvePlatform(flags, env)
  const target = chooseTarget(flags, named, env, beside)
  const isOwn = ['simulator', 'exec', 'container'].includes(target.kind)
  const risk: Risk = flags.risk ?? (isOwn ? 'exclusive' : 'read')
  const platform: PlatformChoice | null = target.kind === 'simulator' ? { kind: 'simulator' } : named
  const { maxFill, only, skip, strict, complete, thorough, out, logins, yes, jobs, evidence } = flags
  const { capacity = null, copySyntax = null, profile = null, baseline = null, bail = null } = flags
  return {
    ...{ maxFill, only, skip, strict, complete, thorough, out, logins, yes, jobs, evidence },
    ...{ target, risk, platform, capacity, copySyntax, profile, baseline, bail },
    /** Who drives the life cycle of a running server; null if nothing does. */
    lifeCycle: chooseLifeCycle(flags, target),
    platformRisk: target.kind === 'simulator' ? risk : (flags.risk ?? 'read'),
    reporter: chooseReporter(flags),
    /** Null to run instead of only showing the plan. */
    plan: flags.plan === true ? 'summary' : flags.plan || null,
    seed: flags.seed ?? randomInt(2 ** 31),
    timeoutMs: flags.timeout,
    /** How long to try to remove the rules of the run while other clients change the list. */
    cleanupTimeoutMs: flags.cleanupTimeout,
    maxRequestsPerSecond: flags.maxRps ?? null,
    /** No check begins after this time. */
    maxTimeMs: flags.maxTime === undefined ? null : flags.maxTime * 1_000,
    /** The time limit of the diagnosis after a failure; 0 for no diagnosis. */
    diagnosisMs: flags.diagnose * 1_000,
    keepServer: flags.keepServer && requireOwnServer(target),
    /** The path to watch: each change starts another run. */
    watch: chooseWatched(flags, target),
  }
}

function chooseReporter({ reporter, verbose, quiet }: RunFlags): ReporterName {
  if (quiet) return 'quiet'
  return verbose ? 'list' : reporter
}

/** The plugin to judge; `none` if only a platform is judged. */
function chooseTarget(flags: RunFlags, platform: PlatformChoice | null, env: Environment, beside: string | undefined) {
  rejectSeveral(flags)
  const { target, exec, container } = flags
  if ([target, exec, container].every((way) => way === undefined) && platform !== null) {
    return { kind: 'none' } as const
  }
  const given = readKey(flags, env)
  const key = given?.key ?? null
  if (exec !== undefined) return { kind: 'exec', command: exec, key } as const
  if (container !== undefined) return { kind: 'container', image: container, key } as const
  if (target === undefined) return { kind: 'simulator', key } as const
  if (given === null) {
    throw new UsageError(
      '`--target` requires an API key.',
      'Set `TCK_API_KEY`, or give `--api-key-file <path>` or `--api-key <key>`.',
    )
  }
  const url = readUrl(target, '--target')
  return {
    kind: 'url',
    url,
    key: given.key,
    /** The option or variable that holds the key. */
    keySource: given.source,
    transport: resolveTransport(url, flags, env, beside),
  } as const
}

function requireOwnServer(target: TargetChoice): true {
  if (target.kind === 'url' || target.kind === 'none') {
    throw new UsageError(
      '`--keep-server` requires a server that the kit starts.',
      'Remove it for `--target`: that server keeps running anyway. Or give `--exec` or `--container`.',
    )
  }
  // A key chosen by the kit is not printed anywhere.
  if (target.key !== null) return true
  throw new UsageError(
    '`--keep-server` requires an API key, which you then use yourself.',
    'Set `TCK_API_KEY` to any key: the server is started with it.',
  )
}

/** A platform is not allowed, since each round would create accounts that cannot be removed. */
function chooseWatched({ watch = false, out, platformUrl }: RunFlags, { kind }: TargetChoice): string | null {
  if (watch === false) return null
  if (kind !== 'exec' || platformUrl !== undefined) {
    throw new UsageError('`--watch` requires `--exec`, without `--platform-url`.', 'Give the command of your server.')
  }
  const path = watch === true ? '.' : watch
  if (resolve(path) !== resolve(out)) return path
  throw new UsageError('`--watch` and `--out` are the same folder.', 'Give another folder for the report.')
}

function rejectSeveral({ target, exec, container }: RunFlags): void {
  const given = Object.entries({ target, exec, container }).flatMap(([name, way]) => (way === undefined ? [] : name))
  if (given.length < 2) return
  throw new UsageError(
    `${given.map((name) => `\`--${name}\``).join(' and ')} exclude each other.`,
    'Give `--target` for a running server, or `--exec` or `--container` for a server that the kit starts.',
  )
}

function chooseLifeCycle(flags: RunFlags, target: TargetChoice): LifeCycle | null {
  const lifeCycle = resolveLifeCycle(flags, target.kind === 'none' ? '' : (target.key ?? ''))
  if (lifeCycle === null) return null
  if (target.kind !== 'url') {
    throw new UsageError(
      'Hooks and `--manual` require `--target`.',
      'Remove them for `--exec` and `--container`: the kit starts and stops these servers itself.',
    )
  }
  if (!flags.plan) requireTerminal(lifeCycle)
  return lifeCycle
}
