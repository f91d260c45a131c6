import type { HookCommands } from '../../suites/targets/live/hooks.ts'
import type { Parameters, StepName } from '../../suites/targets/live/step.ts'
import { UsageError } from '../command-error.ts'
import { readParameters } from './read-files.ts'
import { defaultHookLimitMs, type RunFlags } from './run-definitions.ts'

export interface LifeCycle {
  readonly hooks: HookCommands
  /** Whether a person does the steps without a hook. */
  readonly manual: boolean
  /** The current parameters; null if not given. */
  readonly parameters: Parameters | null
  readonly hookLimitMs: number
}

export function describeOperators({ hooks, manual }: Pick<LifeCycle, 'hooks' | 'manual'>): string {
  const names = Object.keys(hooks)
  const byHooks = names.length === 0 ? [] : [`the hook${names.length === 1 ? '' : 's'} ${names.join(', ')}`]
  return [...byHooks, ...(manual ? ['a person'] : [])].join(' and ')
}

export function hooksIn(flags: Partial<RunFlags>): HookCommands {
  const commands: Record<StepName, string | undefined> = {
    restart: flags.hookRestart,
    stop: flags.hookStop,
    start: flags.hookStart,
    'set-parameters': flags.hookSetParameters,
    'delete-rules-file': flags.hookDeleteRulesFile,
  }
  return Object.fromEntries(Object.entries(commands).filter(([, command]) => command !== undefined))
}

/** Null if the life cycle has no driver. The parameters must contain the key. @throws {UsageError} */
export function resolveLifeCycle(flags: Partial<RunFlags>, key: string): LifeCycle | null {
  const hooks = hooksIn(flags)
  const manual = flags.manual ?? false
  if (!manual && Object.keys(hooks).length === 0) return null
  if (hooks['set-parameters'] !== undefined && flags.parameters === undefined) {
    throw new UsageError(
      '`--hook-set-parameters` requires `--parameters <file>`.',
      'The kit restores the current parameters after the run and cannot read them through the API. Write them to a JSON file: { "API_Key": "…", "API_Port": "8443", "Copy_1": "…" }.',
    )
  }
  return {
    hooks,
    manual,
    parameters: flags.parameters === undefined ? null : readCurrentParameters(flags.parameters, key),
    hookLimitMs: flags.hookTimeout ?? defaultHookLimitMs,
  }
}

/** @throws {UsageError} for `--manual` without a terminal */
export function requireTerminal({ manual }: Pick<LifeCycle, 'manual'>): void {
  if (!manual || (process.stdin.isTTY && process.stdout.isTTY)) return
  throw new UsageError(
    '`--manual` requires a terminal.',
    'Run the command in a terminal, or use hooks like `--hook-restart` instead.',
  )
}

/** @throws {UsageError} for anything but a JSON object of strings that contains the key */
export function readCurrentParameters(file: string, key: string): Parameters {
  const parameters = readParameters('--parameters', file)
  if (parameters.API_Key !== key) {
    throw new UsageError(
      '`API_Key` in `--parameters` differs from the key of this run.',
      'Write the current parameters to the file: they are set again after the run.',
    )
  }
  return parameters
}
