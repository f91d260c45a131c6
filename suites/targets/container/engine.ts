import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIP } from 'node:net'
import type { ContainerRuntimeClient, ImageName } from 'testcontainers'

/** What is needed of Testcontainers, a package that is not installed unless somebody wants containers. */
export interface Testcontainers {
  getContainerRuntimeClient(): Promise<ContainerRuntimeClient>
  readonly ImageName: typeof ImageName
}

/** A container engine on this machine. */
export type Engine = ContainerRuntimeClient

export type Container = Awaited<ReturnType<Engine['container']['create']>>

/** A container engine cannot do what it is asked for, at least not now. */
export class EngineFailed extends Error {
  override readonly name = 'EngineFailed'
  readonly hint: string

  constructor(message: string, hint: string, options?: ErrorOptions) {
    super(message, options)
    this.hint = hint
  }
}

/**
 * Whether an engine that is named so is one of this machine. In a container Testcontainers names it by
 * the address of its bridge: that is an address of this machine only where the engine runs in that
 * container too. A bridge without containers is down, and so missing in a list of the interfaces.
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

/**
 * The engine that Testcontainers finds.
 *
 * @throws {EngineFailed} where none answers, or only one of another machine
 */
export async function reachEngine({ getContainerRuntimeClient }: Testcontainers): Promise<Engine> {
  const engine = await getContainerRuntimeClient().catch((cause: unknown) => {
    throw new EngineFailed(
      'No container engine answers.',
      'Start Docker (docker version shows whether it answers, and whether you may use it), or name its socket in DOCKER_HOST.',
      { cause },
    )
  })
  const { host } = engine.info.containerRuntime
  if (!(await isThisMachine(host))) {
    throw new EngineFailed(
      `The container engine is not on this machine, but at ${host}.`,
      'The kit shares a folder with its containers and reaches them at 127.0.0.1: run it on the machine of the engine, outside of containers.',
    )
  }
  return engine
}

/**
 * Has the engine pull an image that it does not have.
 *
 * @throws {EngineFailed} where it cannot be had
 */
export async function ensureImage(engine: Engine, { ImageName }: Testcontainers, image: string): Promise<void> {
  const hint = 'Look at the name, build the image, or pull it by hand: docker images shows what is there.'
  let name: ImageName
  try {
    name = ImageName.fromString(image)
    if (await engine.image.exists(name)) return
  } catch (cause) {
    throw new EngineFailed(`The image ${image} cannot be looked up: ${reasonOf(cause)}.`, hint, { cause })
  }
  process.stderr.write(`Pulling the image ${image}, which is not on this machine.\n`)
  try {
    await engine.image.pull(name)
    if (await engine.image.exists(name)) return
  } catch (cause) {
    throw new EngineFailed(`There is no image ${image}, and it cannot be pulled: ${reasonOf(cause)}.`, hint, { cause })
  }
  throw new EngineFailed(`There is no image ${image}, and it cannot be pulled.`, hint)
}

/** What an engine says of a failure, as one line without a stop. */
export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.replaceAll(/\s+/g, ' ').trim().replace(/\.$/, '')
}
