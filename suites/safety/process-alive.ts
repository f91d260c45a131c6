import { readFileSync } from 'node:fs'

/** Whether a process of this machine still runs. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // A process of another user cannot be signalled.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  try {
    // It may have ended without being reaped by its parent, which never happens in a container without an init process.
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return true
  }
}
