import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import pTimeout from 'p-timeout'
import { DriverFailed } from './driver.ts'
import { foreignListener, listenersOf, processesOf } from './listeners.ts'
import {
  createAnswerWait,
  createOwnDriver,
  type OwnDriver,
  type OwnServer,
  type OwnServerOptions,
  type SilentStart,
} from './own-servers.ts'
import { portTaken, portVariable, withPort } from './ports.ts'
import { logOutput } from './process-output.ts'
import { createServerFolder, folderVariables, type ServerFolder } from './server-folder.ts'
import { signalGroup, signalProcess } from './shell.ts'
import { startWatched } from './watchdog.ts'

export interface ExecOptions extends OwnServerOptions {
  /** Run by the shell for each start of a server. */
  readonly command: string
}

type Running = Awaited<ReturnType<typeof run>>

export function createExecDriver(options: ExecOptions): OwnDriver {
  const waitUntilAnswering = createAnswerWait(options)
  return createOwnDriver<ServerFolder, Running>({
    createStorage: createServerFolder,
    launch: (server) => run(server, options),
    async answers(server, running, wait) {
      const answering = await waitUntilAnswering(server, running, wait)
      const other = foreignListener(server.port, running.started)
      if (other === null) return answering
      await crash(running)
      throw portTaken(server.port, other)
    },
    stop: (running) => stop(running, options.graceMs),
    crash,
    explain,
  })
}

async function explain({ child, started, lastLines }: Running): Promise<SilentStart> {
  const { exitCode: code, signalCode: signal } = child
  const processes = processesOf(started)
  return {
    ended: code === null && signal === null ? null : { code, signal },
    processes,
    listening: listenersOf(processes),
    lastLines: lastLines(),
  }
}

async function run(
  { settings, port, storage }: Pick<OwnServer<ServerFolder, unknown>, 'settings' | 'port' | 'storage'>,
  options: ExecOptions,
) {
  await storage.writeParameters(withPort(settings, port))
  const variables = folderVariables(storage.path)
  const child = startWatched(options.command, ['ignore', 'pipe', 'pipe'], {
    ...portVariable(settings, port),
    ...variables,
  })
  const ending = watch(child)
  const lastLines = logOutput(child, options.outputFile, options.redact)
  await once(child, 'spawn').catch((cause: unknown) => {
    throw new DriverFailed(`the command could not be started: ${options.command}`, { cause })
  })
  return { ...ending, child, started: { group: child.pid ?? 0, folder: variables.TCK_DATA_DIR }, lastLines }
}

/** The shell may end before the server, which has ended when its output pipes are closed. */
function watch(child: ChildProcess) {
  let isGone = false
  const gone = new Promise<void>((resolve) => {
    child.once('close', () => {
      isGone = true
      resolve()
    })
  })
  return { gone, isGone: () => isGone }
}

async function stop(running: Running, graceMs: number): Promise<void> {
  signalGroup(running.child, 'SIGTERM')
  const stopped = running.gone.then(() => true)
  if (!(await pTimeout(stopped, { milliseconds: graceMs, fallback: () => false }))) await crash(running)
}

async function crash({ child, started, gone }: Running): Promise<void> {
  signalGroup(child, 'SIGKILL')
  // Background processes of the command may be in another process group.
  const left = child.exitCode === null ? [] : processesOf(started)
  for (const { pid } of left) signalProcess(pid, 'SIGKILL')
  await gone
}
