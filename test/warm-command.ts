import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { longRunning } from './costs/processor-time.ts'

const script = fileURLToPath(new URL('warm-command.mjs', import.meta.url))

export interface CommandLine {
  /** The compiled command. */
  readonly main: string
  readonly args: readonly string[]
  /** The complete environment. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
}

export interface EndedCommand {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Processes that have run a command line and wait for the next one. */
const idle: ChildProcess[] = []

/** Runs a command line in an idle process that has run others, or in a new one. Aborting the signal kills it. */
export async function runWarm(line: CommandLine, signal: AbortSignal): Promise<EndedCommand> {
  const child = idle.pop() ?? started()
  const kill = () => void child.kill('SIGKILL')
  signal.addEventListener('abort', kill)
  try {
    return await new Promise<EndedCommand>((resolve, reject) => {
      const onMessage = (ended: EndedCommand) => {
        child.off('exit', onExit)
        idle.push(child)
        resolve(ended)
      }
      const onExit = () => {
        child.off('message', onMessage)
        reject(
          new Error(
            `The process of \`${line.args.join(' ')}\` ended. Use \`start\` for a command that ends its process.`,
          ),
        )
      }
      child.once('message', onMessage)
      child.once('exit', onExit)
      child.send(line)
    })
  } finally {
    signal.removeEventListener('abort', kill)
  }
}

function started(): ChildProcess {
  const child = fork(script, { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const { pid } = child
  if (pid !== undefined) {
    longRunning.add(pid)
    child.once('exit', () => longRunning.delete(pid))
  }
  child.unref()
  child.channel?.unref()
  return child
}
