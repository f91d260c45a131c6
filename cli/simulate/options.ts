import { nearest } from '../../simulator/documents/nearest.ts'
import { type PlatformDefect, platformDefects } from '../../simulator/platform/defects/index.ts'
import type { Defect } from '../../simulator/plugin/defects/defect.ts'
import { pluginDefects } from '../../simulator/plugin/defects/index.ts'
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

/** Splits `Copy_1=1001>2001,mult,1.0,same` at the first `=`. */
export function collectParameter(text: string, before: Readonly<Record<string, string>>): Record<string, string> {
  const at = text.indexOf('=')
  if (at < 1)
    throw new UsageError(`\`--param ${text}\` has no name.`, 'Use the form `--param "Copy_1=1001>2001,mult,1.0,same"`.')
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) }
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

/** The defect of each simulator; null for a correct one. */
export interface ChosenDefects {
  readonly plugin: Defect | null
  readonly platform: PlatformDefect | null
}

/**
 * The defect that --defect names.
 *
 * @throws {UsageError} for an unknown id, and for a defect of a platform that is not served
 */
export function resolveDefects({
  defect: id,
  platformPort,
}: Pick<SimulateFlags, 'defect' | 'platformPort'>): ChosenDefects {
  const plugin = pluginDefects.find((known) => known.id === id) ?? null
  const platform = platformDefects.find((known) => known.id === id) ?? null
  if (platform !== null && platformPort === undefined) {
    throw new UsageError(
      `\`--defect ${id}\` requires \`--platform-port\`: it is a defect of the platform API.`,
      'Add `--platform-port 0`.',
    )
  }
  if (id === undefined || plugin !== null || platform !== null) return { plugin, platform }
  const ids = [...pluginDefects, ...platformDefects].map((known) => known.id)
  throw new UsageError(
    `Unknown defect \`${id}\`. Did you mean \`${nearest(id, ids)}\`?`,
    'Run `copytrade-tck defects` for the list.',
  )
}

/** @throws {UsageError} for options of a platform that is not served */
export function checkPlatformFlags({ platformPort, signing }: SimulateFlags): void {
  if (signing === undefined || platformPort !== undefined) return
  throw new UsageError('`--signing` requires `--platform-port`.', 'Add `--platform-port 0`.')
}
