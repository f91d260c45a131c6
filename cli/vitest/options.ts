import type { Risk } from '../../suites/session/check.ts'
import type { LoginRange } from '../../suites/session/logins.ts'
import { type RunFlags, type RunOptions, resolveRunOptions } from '../options/run-options.ts'

/** How a server is judged within a suite. Members are optional and named like options of `copytrade-tck run`. */
export interface ConformanceOptions {
  /** Name of the suite. Default: `conformance of the plugin`. */
  readonly title?: string
  /** What may be done to the server. Default: `read` with a URL, `exclusive` with `exec`. */
  readonly risk?: Risk
  /** Rule capacity, if known. The checks then expect exactly this capacity. */
  readonly capacity?: number
  /** The most rules that may be added to find the capacity. Default: 2000. */
  readonly maxFill?: number
  /** Only checks whose id, requirement or question matches one of these globs. Default: all. */
  readonly only?: readonly string[]
  /** Checks to leave out. Default: none. */
  readonly skip?: readonly string[]
  /** Failures of the levels expected and robustness fail tests too. Otherwise such tests are skipped. */
  readonly strict?: boolean
  /** Any check out of scope fails the last test. Default: false. */
  readonly complete?: boolean
  /** Seed of everything random. Default: random, and named in each failure. */
  readonly seed?: number
  /** Logins that belong to the kit. Default: 900000000 to 900000999. */
  readonly logins?: LoginRange
  /** Limit for each request in milliseconds. Default: 10000. */
  readonly timeoutMs?: number
  /** Folder of the ledger, which `copytrade-tck restore` needs after an interruption. Default: `tck-report`. */
  readonly out?: string
}

/** A running server. Functions are called before the first check. */
interface RunningTarget extends ConformanceOptions {
  /** Base URL, with or without `/api`. */
  readonly url: string | (() => string | Promise<string>)
  readonly apiKey: string | (() => string | Promise<string>)
  readonly exec?: never
}

/** A server that the kit starts, stops and kills. The command gets TCK_PORT, TCK_DATA_DIR and TCK_PARAMETERS. */
interface StartedTarget extends ConformanceOptions {
  readonly exec: string
  readonly apiKey?: string
  readonly url?: never
}

/** What to judge, and how. */
export type ConformanceTarget = RunningTarget | StartedTarget

export const optionNames: Readonly<Record<keyof RunningTarget, true>> = {
  ...{ title: true, url: true, exec: true, apiKey: true, risk: true, capacity: true, maxFill: true, only: true },
  ...{ skip: true, strict: true, complete: true, seed: true, logins: true, timeoutMs: true, out: true },
}

/** The options of a run that judges the plugin at a target. @throws UsageError */
export async function resolveConformance(target: ConformanceTarget, seed: number): Promise<RunOptions> {
  return resolveRunOptions({ ...flagsOf(target, seed), ...(await server(target)) })
}

export function flagsOf(options: ConformanceOptions, seed: number): Partial<RunFlags> {
  const { title: _, timeoutMs: timeout, ...given } = options
  return {
    // An option that is undefined would replace its default.
    ...Object.fromEntries(Object.entries({ ...given, timeout }).filter(([, value]) => value !== undefined)),
    ...{ seed, jobs: 1 },
    // Vitest limits the time of its hooks.
    cleanupTimeout: 10_000,
    // Stating a risk in a test is consent.
    yes: true,
  }
}

async function server(target: ConformanceTarget) {
  if (target.exec !== undefined) {
    return { exec: target.exec, ...(target.apiKey === undefined ? {} : { apiKey: target.apiKey }) }
  }
  const { url, apiKey } = target
  return {
    target: typeof url === 'function' ? await url() : url,
    apiKey: typeof apiKey === 'function' ? await apiKey() : apiKey,
  }
}
