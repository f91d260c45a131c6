import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Container, Engine } from './engine.ts'
import { isOrphan, ofKits } from './labels.ts'

/** Removes a container with its volumes, running or not; one that is gone already is no error. */
export async function removeContainer(container: Container): Promise<void> {
  try {
    await container.remove({ force: true, v: true })
  } catch (error) {
    // 409: somebody else is removing it at this moment.
    if (![404, 409].includes((error as { statusCode?: number }).statusCode ?? 0)) throw error
  }
}

/** Removes what kits have left behind that were killed; which each container says. */
export async function removeOrphans(engine: Engine): Promise<void> {
  const orphans = (await containersOfKits(engine)).filter(({ Labels }) => isOrphan(Labels))
  await Promise.all(orphans.map(({ Id }) => removeContainer(engine.container.getById(Id))))
}

interface Listed {
  readonly Id: string
  readonly Labels: Readonly<Record<string, string>>
}

/** Testcontainers itself lists running containers alone, and a crash leaves stopped ones too. */
function containersOfKits(engine: Engine): Promise<readonly Listed[]> {
  const options = { all: true, filters: ofKits }
  const { modem } = engine.container.getById('')
  return new Promise((resolve, reject) => {
    const asked = { path: '/containers/json?', method: 'GET', options, statusCodes: { 200: true } }
    modem.dial(asked, (error: unknown, list: readonly Listed[]) => (error ? reject(error) : resolve(list)))
  })
}

/**
 * Should the process end while containers are left, another one removes them: at that moment nothing
 * can be awaited any more. What it is told of may still be on its way to become a container.
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
