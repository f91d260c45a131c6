import { UsageError } from '../command-error.ts'
import { readParameters } from '../options/read-parameters.ts'

/** What the command line of `simulate` holds; the environment fills what a flag leaves out. */
export interface SimulateFlags {
  readonly port?: number
  readonly host: string
  readonly apiKey?: string
  readonly dataDir?: string
  readonly fsync?: boolean
  readonly param: Readonly<Record<string, string>>
  readonly params?: string
  readonly capacity?: number
  readonly profile?: string
  readonly defect?: string
  /** Without it no platform API is served. */
  readonly platformPort?: number
  readonly signing?: 'off' | 'accepted' | 'required'
  readonly controlPort?: number
  readonly controlHost?: string
  readonly journal?: number
  readonly clientReport?: string
}

const defaultJournal = 10_000

/** How many requests are stored. None if no option needs them, because they use memory. */
export function resolveJournal({ journal, controlPort, clientReport }: SimulateFlags): number {
  return journal ?? (controlPort === undefined && clientReport === undefined ? 0 : defaultJournal)
}

/**
 * The plugin parameters: those of the file or else of the environment, then those of --param, then
 * --api-key. A later one overrides an earlier one.
 *
 * @throws {UsageError} when the file cannot be read or holds anything but strings
 */
export function resolveParameters(
  { params, param, apiKey }: SimulateFlags,
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return {
    ...(params === undefined ? parametersIn(environment) : readParameters('--params', params)),
    ...param,
    ...(apiKey === undefined ? {} : { API_Key: apiKey }),
  }
}

/** Environment variables that have the name of a plugin parameter. */
const parameterNames = /^(API_Key|API_Port|Copy_\d+)$/

/** The plugin parameters in the environment, for example of a container. */
function parametersIn(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value !== undefined && parameterNames.test(name) ? [[name, value]] : [],
    ),
  )
}

/** @throws {UsageError} for options of a platform that is not served */
export function checkPlatformFlags({ platformPort, signing }: SimulateFlags): void {
  if (signing === undefined || platformPort !== undefined) return
  throw new UsageError('`--signing` requires `--platform-port`.', 'Add `--platform-port 0`.')
}
