import { closeSync, openSync, readFileSync, unlinkSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Marks a port as taken for all kits on this machine, since a server needs a while until it listens
 * and two kits would find the same port free meanwhile. False if another kit has it.
 */
export function claimPort(port: number): boolean {
  if (mark(port)) return true
  // A kit that was killed leaves its claims behind.
  if (isAlive(ownerOf(port))) return false
  releasePort(port)
  return mark(port)
}

export function releasePort(port: number): void {
  try {
    unlinkSync(claimOf(port))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

function mark(port: number): boolean {
  try {
    const file = openSync(claimOf(port), 'wx')
    writeSync(file, String(process.pid))
    closeSync(file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Null while the claim is being written, or when it has just gone. */
function ownerOf(port: number): number | null {
  try {
    return Number(readFileSync(claimOf(port), 'utf8')) || null
  } catch {
    return null
  }
}

function isAlive(pid: number | null): boolean {
  if (pid === null) return true
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Without the right to signal it, it is the kit of another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function claimOf(port: number): string {
  return join(tmpdir(), `copytrade-tck-port-${port}`)
}
