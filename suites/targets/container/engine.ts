import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIP } from 'node:net'
import type { ContainerRuntimeClient, ImageName } from 'testcontainers'

/** The used part of Testcontainers, an optional package. */
export interface Testcontainers {
  getContainerRuntimeClient(): Promise<ContainerRuntimeClient>
  readonly ImageName: typeof ImageName
}

export type Engine = ContainerRuntimeClient

export type Container = Awaited<ReturnType<Engine['container']['create']>>

export class EngineFailed extends Error {
  override readonly name = 'EngineFailed'
  readonly hint: string

  constructor(message: string, hint: string, options?: ErrorOptions) {
    super(message, options)
    this.hint = hint
  }
}

/**
 * Whether an engine with this host name runs on this machine. Inside a container Testcontainers gives the address of the
 * bridge. A bridge without containers is missing in the list of interfaces, so the address is bound instead.
 */
async function isThisMachine(host: string): Promise<boolean> {
  const address = host === 'localhost' ? '127.0.0.1' : host.replace(/^\[(.*)\]$/, '$1')
  if (isIP(address) === 0) return false
  const socket = createSocket(isIP(address) === 6 ? 'udp6' : 'udp4')
  try {
    socket.bind(0, address)
    await once(socket, 'listening')
    return true
  } catch {
    return false
  } finally {
    socket.close()
  }
}

/** The engine that Testcontainers finds. Throws `EngineFailed` if none responds, or only one of another machine. */
export async function reachEngine({ getContainerRuntimeClient }: Testcontainers): Promise<Engine> {
  const engine = await getContainerRuntimeClient().catch((cause: unknown) => {
    throw new EngineFailed(
      'No container engine answers.',
      'Start Docker and check it with `docker version`, or set `DOCKER_HOST` to its socket.',
      { cause },
    )
  })
  const { host } = engine.info.containerRuntime
  if (!(await isThisMachine(host))) {
    throw new EngineFailed(
      `The container engine is not on this machine, but at ${host}.`,
      'Run the kit on the machine of the engine, outside of containers: it shares a folder with its containers and reaches them at 127.0.0.1.',
    )
  }
  return engine
}

/** Pulls an image that is not on this machine. Throws `EngineFailed` if that is not possible. */
export async function ensureImage(engine: Engine, { ImageName }: Testcontainers, image: string): Promise<void> {
  let problem = 'cannot be looked up'
  try {
    const name = ImageName.fromString(image)
    if (await engine.image.exists(name)) return
    problem = 'does not exist and cannot be pulled'
    process.stderr.write(`Pulling the image ${image}, which is not on this machine.\n`)
    await engine.image.pull(name)
    if (!(await engine.image.exists(name))) throw new Error('it is still missing after that')
  } catch (cause) {
    const hint = 'Check the name with `docker images`, build the image, or pull it.'
    throw new EngineFailed(`The image ${image} ${problem}: ${reasonOf(cause)}.`, hint, { cause })
  }
}

/** The message of an engine error, as one line without a full stop. */
export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.replaceAll(/\s+/g, ' ').trim().replace(/\.$/, '')
}
