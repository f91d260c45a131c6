import { connect } from 'node:net'
import { EngineFailed, reasonOf, type Testcontainers } from '../../../suites/targets/container/engine.ts'
import type { ContainerOptions } from '../../../suites/targets/container.ts'
import type { OwnDriver } from '../../../suites/targets/own-servers.ts'
import { UnreachableError, UsageError } from '../../command-error.ts'

/** The version that the kit is tested with. */
const wanted = 'testcontainers@11.14.0'

/**
 * A driver of containers, if this machine has what it takes.
 *
 * @throws {UsageError} without Testcontainers
 * @throws {UnreachableError} without an engine on this machine, or without the image
 */
export async function openContainerDriver(options: Omit<ContainerOptions, 'testcontainers'>): Promise<OwnDriver> {
  const testcontainers = await loadTestcontainers()
  await rejectSilentDockerHost(process.env.DOCKER_HOST)
  const { createContainerDriver } = await import('../../../suites/targets/container.ts')
  try {
    return await createContainerDriver({ ...options, testcontainers })
  } catch (error) {
    if (error instanceof EngineFailed) throw new UnreachableError(error.message, error.hint, { cause: error })
    throw error
  }
}

/** It is large and only `--container` needs it, so users install it themselves. */
async function loadTestcontainers(): Promise<Testcontainers> {
  try {
    return await import('testcontainers')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause
    throw new UsageError(
      '`--container` requires the package `testcontainers`, which is not installed.',
      `Install it: \`npm install --save-dev ${wanted}\`.`,
      { cause },
    )
  }
}

/** Testcontainers would go on to another engine, which is not what was asked for. */
async function rejectSilentDockerHost(dockerHost: string | undefined): Promise<void> {
  if (!dockerHost) return
  const reason = await silenceReason(dockerHost)
  if (reason === null) return
  throw new UnreachableError(
    `No container engine responds at \`DOCKER_HOST=${dockerHost}\`: ${reason}.`,
    'Start it, or unset `DOCKER_HOST` to use the default socket.',
  )
}

function silenceReason(dockerHost: string): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connectTo(dockerHost)
    if (socket === null) return resolve(null)
    socket.setTimeout(5_000, () => socket.destroy(new Error('no response')))
    socket.once('connect', () => {
      socket.destroy()
      resolve(null)
    })
    socket.once('error', (error) => resolve(reasonOf(error)))
  })
}

/** Null for what only Testcontainers understands, such as a pipe of Windows. */
function connectTo(dockerHost: string) {
  const path = /^unix:\/\/(.+)$/.exec(dockerHost)?.[1]
  if (path !== undefined) return connect({ path })
  const [, host, port] = /^(?:tcp|https?):\/\/\[?([^/]+?)\]?:(\d+)/.exec(dockerHost) ?? []
  return host === undefined ? null : connect({ host, port: Number(port) })
}
