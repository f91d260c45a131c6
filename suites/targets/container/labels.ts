import { readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { isAlive } from '../process-alive.ts'

/** Names the kit that owns a container: a process of a machine. */
const ownerLabel = 'copytrade-tck.kit'

/** The machine, and the process namespace where the kit runs in a container. */
function processNamespace(): string {
  try {
    return `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return hostname()
  }
}

/** The labels of a container of this process. */
export function ownLabels(): Readonly<Record<string, string>> {
  return { [ownerLabel]: `${process.pid} ${processNamespace()}` }
}

/** Filters a list of containers: only those of kits. */
export const ofKits = { label: [ownerLabel] } as const

/** Whether the kit that owns a container has ended. A kit of another machine may still run. */
export function isOrphan(labels: Readonly<Record<string, string>>): boolean {
  const [, pid, namespace] = /^(\d+) (.+)$/.exec(labels[ownerLabel] ?? '') ?? []
  return pid !== undefined && namespace === processNamespace() && !isAlive(Number(pid))
}
