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

/** As it is named in a configuration of Testcontainers or Docker, an engine of another machine has another host. */
const thisMachine: readonly string[] = ['localhost', '127.0.0.1', '::1', '[::1]']

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
  if (!thisMachine.includes(host)) {
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
