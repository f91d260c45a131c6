import { spawn } from 'node:child_process'
import { readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { fileURLToPath } from 'node:url'
import { isAlive } from '../../safety/process-alive.ts'
import type { Container, Engine } from './engine.ts'

/** The label with the machine and the process that own a container. */
const ownerLabel = 'copytrade-tck.kit'

/** The machine, and the process namespace if the kit runs in a container. */
function processNamespace(): string {
  try {
    return `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return hostname()
  }
}

export function ownLabels(): Readonly<Record<string, string>> {
  return { [ownerLabel]: `${process.pid} ${processNamespace()}` }
}

/** Removes a container with its volumes, if it still exists. */
export async function removeContainer(container: Container): Promise<void> {
  // 409: it is already being removed.
  await unlessStatus([404, 409], container.remove({ force: true, v: true }))
}

/** Ignores errors of the engine with these statuses. */
export async function unlessStatus(ignored: readonly number[], request: Promise<unknown>): Promise<void> {
  await request.catch((error: { statusCode?: number }) => {
    if (!ignored.includes(error.statusCode ?? 0)) throw error
  })
}

export async function removeOrphans(engine: Engine): Promise<void> {
  const orphans = (await containersOfKits(engine)).filter(({ Labels: labels }) => {
    // Whether a kit on another machine has ended is unknown.
    const [, pid, namespace] = /^(\d+) (.+)$/.exec(labels[ownerLabel] ?? '') ?? []
    return pid !== undefined && namespace === processNamespace() && !isAlive(Number(pid))
  })
  await Promise.all(orphans.map(({ Id }) => removeContainer(engine.container.getById(Id))))
}

type Listed = { readonly Id: string; readonly Labels: Readonly<Record<string, string>> }

/** Testcontainers lists only running containers; a crash leaves stopped ones too. */
function containersOfKits(engine: Engine): Promise<readonly Listed[]> {
  const options = { all: true, filters: { label: [ownerLabel] } }
  const { modem } = engine.container.getById('')
  return new Promise((resolve, reject) => {
    const request = { path: '/containers/json?', method: 'GET', options, statusCodes: { 200: true } }
    modem.dial(request, (error: unknown, list: readonly Listed[]) => (error ? reject(error) : resolve(list)))
  })
}

/**
 * If this process ends while containers are left, another process removes them, since an exit handler cannot wait.
 * Containers in this set may not have been created yet.
 */
export function removeAtExit(): Pick<Set<string>, 'add' | 'delete'> {
  const left = new Set<string>()
  process.once('exit', () => {
    if (left.size === 0) return
    const remover = fileURLToPath(new URL('./remover.js', import.meta.url))
    spawn(process.execPath, [remover], { detached: true, stdio: 'ignore' }).unref()
  })
  return left
}
