import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'

/** Starts a command of the user, in a process group of its own: the server may be a child of the shell. */
export function startShell(
  command: string,
  stdio: NonNullable<SpawnOptions['stdio']>,
  variables: NodeJS.ProcessEnv,
): ChildProcess {
  // What the kit got for itself is not for the command: its key is among the parameters, its port comes from the driver.
  const { TCK_API_KEY, TCK_PLATFORM_KEY, TCK_PLATFORM_SECRET, TCK_PORT, ...env } = process.env
  return spawn(command, { shell: true, detached: true, stdio, env: { ...env, ...variables } })
}

/** Signals the whole group, if it still exists. */
export function signalGroup({ pid }: ChildProcess, name: 'SIGTERM' | 'SIGKILL'): void {
  if (pid !== undefined) signalProcess(-pid, name)
}

/** Signals a process, or for a negative number its group. */
export function signalProcess(pid: number, name: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
