import { PassThrough } from 'node:stream'
import { createWaiting, type Patience } from './answering.ts'
import {
  type Container,
  type Engine,
  ensureImage,
  reachEngine,
  reasonOf,
  type Testcontainers,
} from './container/engine.ts'
import { createSharedFolder, inside, type SharedFolder } from './container/folder.ts'
import { ownLabels } from './container/labels.ts'
import { removeAtExit, removeContainer, removeOrphans } from './container/removal.ts'
import { DriverFailed } from './driver.ts'
import { createOwnDriver, type OwnDriver, type OwnServer } from './own-servers.ts'
import { withPort } from './ports.ts'
import { keepOutput } from './process-output.ts'

export interface ContainerOptions extends Patience {
  readonly testcontainers: Testcontainers
  readonly image: string
  /** File that takes the output of all servers. */
  readonly outputFile: string
  readonly redact: (text: string) => string
  /** How long a server may take to stop before it is killed. */
  readonly graceMs: number
}

/** The container of a server outlives each of its lives, as the folder does. */
interface ContainerHome extends SharedFolder {
  /** Null until the first start. */
  container: Container | null
}

/** A container that was started. */
interface Running {
  readonly container: Container
  isGone(): boolean
}

type Server = OwnServer<ContainerHome, Running>

/**
 * A driver that has a container for each server. A life of the server is one of the container: it is
 * started again after a stop or a kill, with what it keeps outside of its data folder.
 *
 * @throws {EngineFailed} where there is no engine on this machine, or no such image
 */
export async function createContainerDriver(options: ContainerOptions): Promise<OwnDriver> {
  const engine = await reachEngine(options.testcontainers)
  await removeOrphans(engine)
  await ensureImage(engine, options.testcontainers, options.image)
  const left = removeAtExit()

  async function settle(): Promise<ContainerHome> {
    const folder = await createSharedFolder()
    const home: ContainerHome = {
      ...folder,
      container: null,
      async remove() {
        if (home.container !== null) await removeContainer(home.container)
        await folder.remove()
        left.delete(folder.path)
      },
    }
    return home
  }

  async function containerOf({ home, port }: Server): Promise<Container> {
    left.add(home.path)
    home.container ??= await create(engine, options.image, home.path, port)
    return home.container
  }

  const untilAnswering = createWaiting(options)
  return createOwnDriver<ContainerHome, Running>({
    settle,
    async start(server, patience) {
      const container = await containerOf(server).catch(failed(`no container of ${options.image} could be created`))
      await server.home.writeParameters(withPort(server.settings, server.port))
      const running = await start(container, options).catch(failed(`a container of ${options.image} did not start`))
      return { running, answering: await untilAnswering(server.port, patience, running.isGone) }
    },
    stop: ({ container }) => stop(container, options.graceMs),
    crash: ({ container }) => kill(container),
  })
}

/**
 * Inside the server listens on the very port at which it is reached outside: then whatever it says
 * of its port is true at both ends.
 */
function create(engine: Engine, image: string, path: string, port: number): Promise<Container> {
  const exposed = `${port}/tcp`
  return engine.container.create({
    Image: image,
    Labels: ownLabels(),
    Env: [`TCK_PORT=${port}`, 'TCK_HOST=0.0.0.0', `TCK_DATA_DIR=${inside.data}`, `TCK_PARAMETERS=${inside.parameters}`],
    ExposedPorts: { [exposed]: {} },
    HostConfig: {
      // z: where SELinux guards containers it lets this one see the folder; elsewhere it means nothing.
      Binds: [`${path}:${inside.folder}:z`],
      PortBindings: { [exposed]: [{ HostIp: '127.0.0.1', HostPort: String(port) }] },
    },
  })
}

async function start(container: Container, { outputFile, redact }: ContainerOptions): Promise<Running> {
  // A server may have ended by itself a moment ago, and the engine would not start it a second time.
  await container.wait()
  // Before the start, so that no word is missed.
  const stream = await container.attach({ stream: true, stdout: true, stderr: true })
  const output = { stdout: new PassThrough(), stderr: new PassThrough() }
  container.modem.demuxStream(stream, output.stdout, output.stderr)
  keepOutput(output, outputFile, redact)
  let isGone = false
  stream.once('close', () => {
    isGone = true
    output.stdout.end()
    output.stderr.end()
  })
  await container.start()
  return { container, isGone: () => isGone }
}

/** As `docker stop` does, with the signal of the image, which is SIGTERM where it does not say. */
function stop(container: Container, graceMs: number): Promise<void> {
  return unlessEnded(() => container.stop({ t: Math.ceil(graceMs / 1000) }))
}

function kill(container: Container): Promise<void> {
  return unlessEnded(() => container.kill())
}

/** A container that has ended by itself is no error: 304 and 409 are the engine's words for that. */
async function unlessEnded(end: () => Promise<unknown>): Promise<void> {
  try {
    await end()
  } catch (error) {
    if (![304, 409].includes((error as { statusCode?: number }).statusCode ?? 0)) throw error
  }
}

function failed(what: string): (cause: unknown) => never {
  return (cause) => {
    throw new DriverFailed(`${what}: ${reasonOf(cause)}`, { cause })
  }
}
