import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'

/** Starts a command of the user in its own process group, since the server may be a child of the shell. */
export function startShell(command: string, stdio: StdioOptions, variables: NodeJS.ProcessEnv): ChildProcess {
  // Variables of the kit are removed: the key of the command is in its parameters, and its port comes from the driver.
  const { TCK_API_KEY, TCK_AGAINST_API_KEY, TCK_PLATFORM_KEY, TCK_PLATFORM_SECRET, TCK_PORT, ...env } = process.env
  return spawn(command, { shell: true, detached: true, stdio, env: { ...env, ...variables } })
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
