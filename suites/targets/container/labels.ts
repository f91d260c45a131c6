import { readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** Says which kit a container belongs to: a process of a machine. */
const ownerLabel = 'copytrade-tck.kit'

/** Which processes a kit can see: those of its machine, and of its container where it runs in one. */
function place(): string {
  try {
    return `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return hostname()
  }
}

/** The labels of a container of this process. */
export function ownLabels(): Readonly<Record<string, string>> {
  return { [ownerLabel]: `${process.pid} ${place()}` }
}

/** What a list of containers is narrowed down by, so that it holds those of kits alone. */
export const ofKits = { label: [ownerLabel] } as const

/** Whether the kit to which a container belongs is gone. One of another machine may be alive. */
export function isOrphan(labels: Readonly<Record<string, string>>): boolean {
  const [, pid, where] = /^(\d+) (.+)$/.exec(labels[ownerLabel] ?? '') ?? []
  return pid !== undefined && where === place() && !isAlive(Number(pid))
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Without the right to signal it, it is the kit of another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
