import { readFileSync } from 'node:fs'
import { Option } from 'commander'
import type { HookCommands } from '../../suites/targets/live/hooks.ts'
import { type Parameters, type StepName, stepNames } from '../../suites/targets/live/step.ts'
import { UsageError } from '../command-error.ts'
import { wholeNumber } from './parsers.ts'

/** What the command line says about the life cycle of a server that the kit does not start. */
export interface LifeCycleFlags {
  readonly hookRestart?: string
  readonly hookStop?: string
  readonly hookStart?: string
  readonly hookSetParameters?: string
  readonly hookDeleteRulesFile?: string
  readonly hookTimeout?: number
  readonly parameters?: string
  readonly manual?: boolean
}

/** Who drives the life cycle, complete. */
export interface LifeCycle {
  readonly hooks: HookCommands
  /** Whether a person does what no hook does. */
  readonly manual: boolean
  /** The parameters that stand before; null where they were not stated. */
  readonly parameters: Parameters | null
  readonly hookLimitMs: number
}

const whatHooksDo: Readonly<Record<StepName, string>> = {
  restart: 'restart the server',
  stop: 'stop it',
  start: 'start it',
  'set-parameters': 'set the plugin parameters to those in the file $TCK_PARAMETERS',
  'delete-rules-file': 'delete ServiceCopyTrade_rules.dat',
}

const defaultHookLimitMs = 60_000

/** The options that `run`, `doctor` and `restore` have in common. */
export function lifeCycleOptions(): readonly Option[] {
  return [
    ...stepNames.map((step) => new Option(`--hook-${step} <command>`, `shell command to ${whatHooksDo[step]}`)),
    new Option('--hook-timeout <ms>', 'limit for each hook').argParser(wholeNumber(1)).default(defaultHookLimitMs),
    new Option('--parameters <file>', 'JSON file with the plugin parameters that stand now, to be set again'),
    new Option('--manual', 'ask a person on this terminal to do what no hook does').default(false),
  ]
}

/** Who drives the life cycle, in words. */
export function describeOperators({ hooks, manual }: Pick<LifeCycle, 'hooks' | 'manual'>): string {
  const names = Object.keys(hooks)
  const byHooks = names.length === 0 ? [] : [`the hook${names.length === 1 ? '' : 's'} ${names.join(', ')}`]
  return [...byHooks, ...(manual ? ['a person'] : [])].join(' and ')
}

/** The hooks among the flags. */
export function hooksIn(flags: LifeCycleFlags): HookCommands {
  const commands: Record<StepName, string | undefined> = {
    restart: flags.hookRestart,
    stop: flags.hookStop,
    start: flags.hookStart,
    'set-parameters': flags.hookSetParameters,
    'delete-rules-file': flags.hookDeleteRulesFile,
  }
  return Object.fromEntries(Object.entries(commands).filter(([, command]) => command !== undefined))
}

/**
 * Resolves the flags; null where nobody drives the life cycle.
 *
 * @param key the key that the parameters must hold
 * @throws {UsageError} for flags that do not go together, or parameters that could not be set again
 */
export function resolveLifeCycle(flags: LifeCycleFlags, key: string): LifeCycle | null {
  const hooks = hooksIn(flags)
  const manual = flags.manual ?? false
  if (!manual && Object.keys(hooks).length === 0) return null
  if (hooks['set-parameters'] !== undefined && flags.parameters === undefined) {
    throw new UsageError(
      '--hook-set-parameters needs --parameters <file>.',
      'The parameters that stand now must be put back after the run, and no request of the API tells them: write them into a JSON file, { "API_Key": "…", "API_Port": "8443", "Copy_1": "…" }.',
    )
  }
  return {
    hooks,
    manual,
    parameters: flags.parameters === undefined ? null : readParameters(flags.parameters, key),
    hookLimitMs: flags.hookTimeout ?? defaultHookLimitMs,
  }
}

/** @throws {UsageError} where somebody would have to be asked and nobody is there */
export function requireTerminal({ manual }: Pick<LifeCycle, 'manual'>): void {
  if (!manual || (process.stdin.isTTY && process.stdout.isTTY)) return
  throw new UsageError(
    '--manual needs a terminal: a person is asked to do steps, and nobody can answer here.',
    'Run the command in a terminal, or give hooks instead: --hook-restart and the others.',
  )
}

/** @throws {UsageError} for what is no JSON object of texts, or does not hold the key */
export function readParameters(file: string, key: string): Parameters {
  const hint =
    'Give a JSON object of texts, like { "API_Key": "…", "API_Port": "8443", "Copy_1": "1001>2001,mult,1,same" }.'
  let parameters: unknown
  try {
    parameters = JSON.parse(readFileSync(file, 'utf8'))
  } catch (cause) {
    // The message of a parser would show a piece of the file, and the key is in it.
    const reason = (cause as NodeJS.ErrnoException).code === undefined ? 'it is no JSON' : (cause as Error).message
    throw new UsageError(`--parameters cannot be read: ${reason}.`, hint, { cause })
  }
  if (!isObjectOfTexts(parameters)) throw new UsageError('--parameters holds something else than texts by name.', hint)
  if (parameters.API_Key !== key) {
    throw new UsageError(
      'API_Key in the file of --parameters is not the key that this run uses.',
      'The file must hold the parameters that stand now; otherwise the server would be given back with another key.',
    )
  }
  return parameters
}

function isObjectOfTexts(value: unknown): value is Parameters {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((text) => typeof text === 'string')
  )
}
