import { closeSync, openSync, readFileSync, unlinkSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive } from './process-alive.ts'

/**
 * Reserves a port among all kits on this machine: until a server listens, another kit would find the
 * same port free. False if another kit has it.
 */
export function claimPort(port: number): boolean {
  if (mark(port)) return true
  // The claim of a kit that was killed still exists.
  const owner = ownerOf(port)
  if (owner === null || isAlive(owner)) return false
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

/** Null while the claim is being written or has just been removed. */
function ownerOf(port: number): number | null {
  try {
    return Number(readFileSync(claimOf(port), 'utf8')) || null
  } catch {
    return null
  }
}

function claimOf(port: number): string {
  return join(tmpdir(), `copytrade-tck-port-${port}`)
}
