import { appendFileSync, closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { endpointOf } from '../../client/connect.ts'
import { createPrivateFolder } from '../../safety/private-folder.ts'
import { shellFailure, startShell } from '../shell.ts'
import type { LiveOptions } from './live-state.ts'
import { type DesiredParameters, type LifecycleOperator, parametersFor, StepFailed, type StepName } from './step.ts'

export type HookCommands = Readonly<Partial<Record<StepName, string>>>

/** The output of the hooks, and while a hook runs a file with the parameters, are in the folder of the ledger. */
export interface HookOptions extends Pick<LiveOptions, 'url' | 'redact' | 'ledger'> {
  readonly commands: HookCommands
  /** The original parameters; null if they are not known. */
  readonly parameters: Readonly<Record<string, string>> | null
  readonly limitMs: number
}

const shownLines = 5

export function createHooks(options: HookOptions): LifecycleOperator {
  return {
    can: (step) => options.commands[step] !== undefined,
    async carryOut(steps, desired) {
      for (const step of steps) await runHook(step, desired, options)
    },
  }
}

async function runHook(step: StepName, desired: DesiredParameters, options: HookOptions): Promise<void> {
  const { commands, redact, ledger, limitMs } = options
  const command = commands[step]
  if (command === undefined) throw new StepFailed(`\`--hook-${step}\` is missing`)
  // Private to this user, since the parameters contain a key, and the output is not redacted yet.
  const folder = createPrivateFolder(ledger.file)
  try {
    const variables = variablesIn(folder, desired, options)
    const printedFile = join(folder, 'output')
    // A file instead of a pipe: a server that the hook starts inherits it and must outlive the kit.
    const output = openSync(printedFile, 'w', 0o600)
    const child = startShell(command, ['ignore', output, output], variables)
    closeSync(output)
    if (child.pid !== undefined) ledger.append({ event: 'hook', step, pid: child.pid })
    const failure = await shellFailure(child, limitMs)
    const printed = redact(readFileSync(printedFile, 'utf8'))
    appendFileSync(join(dirname(ledger.file), 'hooks.log'), `# --hook-${step}: ${failure ?? 'exit code 0'}\n${printed}`)
    if (failure === null) return
    const last = printed.trimEnd().split('\n').slice(-shownLines).join('\n')
    throw new StepFailed(`--hook-${step} ${failure}; it printed ${last === '' ? 'nothing' : `last:\n${last}`}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The variables of a hook. Its parameters are in a file in the folder. */
function variablesIn(folder: string, desired: DesiredParameters, { url, parameters }: HookOptions): NodeJS.ProcessEnv {
  const parametersFile = join(folder, 'parameters.json')
  if (parameters !== null) {
    writeFileSync(parametersFile, JSON.stringify(parametersFor(desired, parameters), null, 2), { mode: 0o600 })
  }
  return {
    TCK_TARGET: url,
    TCK_PORT: String(endpointOf(url).port),
    TCK_DATA_DIR: process.env.TCK_DATA_DIR ?? '',
    TCK_PARAMETERS: parameters === null ? '' : parametersFile,
  }
}
