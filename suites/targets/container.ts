import { PassThrough } from 'node:stream'
import { type Container, ensureImage, reachEngine, reasonOf, type Testcontainers } from './container/engine.ts'
import { ownLabels, removeAtExit, removeContainer, removeOrphans, unlessStatus } from './container/removal.ts'
import { DriverFailed, type ServerSettings } from './driver.ts'
import { listenersInNetworkOf } from './listeners.ts'
import { createAnswerWait, createOwnDriver, type OwnDriver, type OwnServerOptions } from './own-servers.ts'
import { portTaken, portVariable, withPort } from './ports.ts'
import { logOutput } from './process-output.ts'
import { createServerFolder, folderVariables } from './server-folder.ts'

export interface ContainerOptions extends OwnServerOptions {
  readonly testcontainers: Testcontainers
  readonly image: string
}

/** Where the folder of a server is mounted in its container. */
const insidePath = '/tck'

/**
 * A driver with one container for each server, which is started again after a stop or a kill to keep its files. Throws
 * `EngineFailed` if there is no engine on this machine, or no such image.
 */
export async function createContainerDriver(options: ContainerOptions): Promise<OwnDriver> {
  const { image, graceMs } = options
  const engine = await reachEngine(options.testcontainers)
  await removeOrphans(engine)
  await ensureImage(engine, options.testcontainers, image)
  const left = removeAtExit()
  const waitUntilAnswering = createAnswerWait(options)

  const driver = createOwnDriver(async (port) => {
    const folder = await createServerFolder()
    let container: Container | null = null
    const containerFor = async (settings: ServerSettings) => {
      left.add(folder.path)
      const definition = definitionOf(image, folder.path, port, portVariable(settings, port))
      container ??= await engine.container.create(definition)
      return container
    }
    return {
      rulesFile: folder.rulesFile,
      async launch(settings) {
        const own = await containerFor(settings).catch(failed(`no container of ${image} could be created`))
        await folder.writeParameters(withPort(settings, port))
        const { isGone, explain } = await start(own, options).catch((cause: unknown) => {
          if (/port is already allocated|address already in use/.test(reasonOf(cause))) throw portTaken(port, null)
          return failed(`a container of ${image} did not start`)(cause)
        })
        return {
          answers: (wait) => waitUntilAnswering(port, isGone, wait),
          // Like `docker stop`, with the stop signal of the image, SIGTERM by default.
          stop: () => unlessStatus(statusesOfEnded, own.stop({ t: Math.ceil(graceMs / 1000) })),
          crash: () => unlessStatus(statusesOfEnded, own.kill()),
          explain,
        }
      },
      async remove() {
        if (container !== null) await removeContainer(container)
        await folder.remove()
        left.delete(folder.path)
      },
    }
  })
  return {
    ...driver,
    async discardAll() {
      await driver.discardAll()
      // The engine may have created a container for a killed kit after the first look.
      await removeOrphans(engine)
    },
  }
}

/** The port is the same inside and outside the container, so that the `api_port` of a response is correct. */
function definitionOf(image: string, path: string, port: number, variables: Readonly<Record<string, string>>) {
  const env = { ...variables, TCK_HOST: '0.0.0.0', ...folderVariables(insidePath) }
  const exposed = `${port}/tcp`
  return {
    Image: image,
    Labels: ownLabels(),
    Env: Object.entries(env).map(([name, value]) => `${name}=${value}`),
    ExposedPorts: { [exposed]: {} },
    HostConfig: {
      // z: with SELinux it lets the container see the folder; without SELinux it has no effect.
      Binds: [`${path}:${insidePath}:z`],
      PortBindings: { [exposed]: [{ HostIp: '127.0.0.1', HostPort: String(port) }] },
    },
  }
}

async function start(container: Container, { outputFile, redact }: ContainerOptions) {
  // The engine rejects a second start while the server is just ending.
  await container.wait()
  // Attached before the start, so that no output is missed.
  const stream = await container.attach({ stream: true, stdout: true, stderr: true })
  const output = { stdout: new PassThrough(), stderr: new PassThrough() }
  container.modem.demuxStream(stream, output.stdout, output.stderr)
  const lastLines = logOutput(output, outputFile, redact)
  let isGone = false
  stream.once('close', () => {
    isGone = true
    output.stdout.end()
    output.stderr.end()
  })
  await container.start()
  return {
    isGone: () => isGone,
    async explain() {
      const { State: state } = await container.inspect()
      return {
        ended: state.Running ? null : { code: state.ExitCode, signal: null },
        processes: [],
        listening: state.Running ? listenersInNetworkOf(state.Pid) : null,
        lastLines: lastLines(),
      }
    },
  }
}

/** What the engine returns for a container that has already ended. */
const statusesOfEnded = [304, 409]

function failed(what: string): (cause: unknown) => never {
  return (cause) => {
    throw new DriverFailed(`${what}: ${reasonOf(cause)}`, { cause })
  }
}
