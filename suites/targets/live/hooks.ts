import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { withoutOwnSecrets } from '../child-environment.ts'
import {
  type DesiredParameters,
  type LifecycleOperator,
  type Parameters,
  parametersFor,
  StepFailed,
  type StepName,
} from './step.ts'

/** Shell commands by the step that they do. */
export type HookCommands = Readonly<Partial<Record<StepName, string>>>

export interface HookOptions {
  readonly commands: HookCommands
  /** Base URL of the server. */
  readonly url: string
  /** The parameters that stood before; null where nobody said. */
  readonly parameters: Parameters | null
  /** The most that one hook may take. */
  readonly limitMs: number
  /** File that takes what the hooks print. */
  readonly outputFile: string
  readonly redact: (text: string) => string
  /** Told of each hook as it begins. */
  readonly onStart: (step: StepName, pid: number) => void
}

/** How much of the output a message shows. */
const shownLines = 5

/** Hands that run the operator's shell commands, one after the other. */
export function createHooks(options: HookOptions): LifecycleOperator {
  return {
    can: (step) => options.commands[step] !== undefined,
    async carryOut(steps, desired) {
      for (const step of steps) await runHook(step, desired, options)
    },
  }
}

async function runHook(step: StepName, desired: DesiredParameters, options: HookOptions): Promise<void> {
  const { commands, redact, outputFile, limitMs } = options
  const command = commands[step]
  if (command === undefined) throw new StepFailed(`there is no --hook-${step}`)
  // Private to this user: the parameters hold a key, and what the hook prints is not redacted yet.
  const folder = mkdtempSync(join(tmpdir(), 'copytrade-tck-hook-'))
  try {
    const printedFile = join(folder, 'output')
    const end = await toItsEnd(step, { ...options, command, folder, printedFile, desired })
    const printed = redact(readFileSync(printedFile, 'utf8'))
    appendFileSync(outputFile, `# --hook-${step}: ${end ?? 'exit code 0'}\n${printed}`)
    if (end !== null) throw new StepFailed(failure(step, end, printed, limitMs))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function failure(step: StepName, end: string, printed: string, limitMs: number): string {
  const last = printed.trimEnd().split('\n').slice(-shownLines).join('\n')
  const what = end === 'too slow' ? `did not end within ${limitMs} ms and was killed` : `failed with ${end}`
  return `--hook-${step} ${what}${last === '' ? '; it printed nothing' : `; it printed last:\n${last}`}`
}

interface HookRun extends HookOptions {
  readonly command: string
  readonly folder: string
  readonly printedFile: string
  readonly desired: DesiredParameters
}

/** Resolves to null if it ended well, and to what became of it if not. */
async function toItsEnd(step: StepName, run: HookRun): Promise<string | null> {
  // A file, no pipe: a server that a hook starts keeps it, and must not die when the kit ends.
  const output = openSync(run.printedFile, 'w', 0o600)
  try {
    const child = spawn(run.command, {
      shell: true,
      // A group of its own, so that Ctrl-C does not end a hook half-way.
      detached: true,
      stdio: ['ignore', output, output],
      env: environmentOf(run),
    })
    const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
    if (child.pid !== undefined) run.onStart(step, child.pid)
    const limit = new AbortController()
    const first = await Promise.race([ended, delay(run.limitMs, null, { signal: limit.signal })])
    limit.abort()
    if (first === null) return await kill(child, ended)
    const [code, signal] = first
    if (code === 0) return null
    return code === null ? `signal ${signal}` : `exit code ${code}`
  } finally {
    closeSync(output)
  }
}

async function kill(child: ChildProcess, ended: Promise<unknown>): Promise<string> {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It ended in this very moment.
  }
  await ended
  return 'too slow'
}

function environmentOf({ url, parameters, desired, folder }: HookRun): NodeJS.ProcessEnv {
  const parametersFile = join(folder, 'parameters.json')
  if (parameters !== null) {
    writeFileSync(parametersFile, JSON.stringify(parametersFor(desired, parameters), null, 2), { mode: 0o600 })
  }
  return {
    ...withoutOwnSecrets(process.env),
    TCK_TARGET: url,
    TCK_PORT: new URL(url).port || '80',
    TCK_DATA_DIR: process.env.TCK_DATA_DIR ?? '',
    TCK_PARAMETERS: parameters === null ? '' : parametersFile,
  }
}
