import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import pTimeout from 'p-timeout'

/** Starts a command of the user in its own process group, since the server may be a child of the shell. */
export function startShell(command: string, stdio: StdioOptions, variables: NodeJS.ProcessEnv): ChildProcess {
  // Variables of the kit are removed: the key of the command is in its parameters, and its port comes from the driver.
  const { TCK_API_KEY, TCK_AGAINST_API_KEY, TCK_PLATFORM_KEY, TCK_PLATFORM_SECRET, TCK_PORT, ...env } = process.env
  return spawn(command, { shell: true, detached: true, stdio, env: { ...env, ...variables } })
}

/** Waits for a command in its own process group. Returns null for exit code 0, and otherwise how it failed. */
export async function shellFailure(child: ChildProcess, limitMs: number): Promise<string | null> {
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  const exit = await pTimeout(ended, { milliseconds: limitMs, fallback: () => null })
  if (exit === null) {
    signalGroup(child, 'SIGKILL')
    await ended
    return `did not end within ${limitMs} ms and was killed`
  }
  const [code, signal] = exit
  if (code === 0) return null
  return `failed with ${code === null ? `signal ${signal}` : `exit code ${code}`}`
}

/** Signals the whole group, if it still exists. */
export function signalGroup({ pid }: ChildProcess, name: 'SIGTERM' | 'SIGKILL'): void {
  if (pid !== undefined) signalProcess(-pid, name)
}

/** Signals a process, or for a negative number its group. Has no effect on those of other users. */
export function signalProcess(pid: number, name: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (!['ESRCH', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}
