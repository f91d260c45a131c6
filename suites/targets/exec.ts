import { once } from 'node:events'
import pTimeout from 'p-timeout'
import { DriverFailed } from './driver.ts'
import { foreignListener, listenersOf, processesOf } from './listeners.ts'
import { createAnswerWait, createOwnDriver, type OwnDriver, type OwnServerOptions } from './own-servers.ts'
import { portTaken, portVariable, withPort } from './ports.ts'
import { logOutput } from './process-output.ts'
import { createServerFolder, folderVariables } from './server-folder.ts'
import { signalGroup, signalProcess } from './shell.ts'
import { startWatched } from './watchdog.ts'

export interface ExecOptions extends OwnServerOptions {
  /** Run by the shell for each start of a server. */
  readonly command: string
}

export function createExecDriver(options: ExecOptions): OwnDriver {
  const { command, outputFile, redact, graceMs } = options
  const waitUntilAnswering = createAnswerWait(options)

  return createOwnDriver(async (port) => {
    const folder = await createServerFolder()
    const variables = folderVariables(folder.path)
    return {
      ...folder,
      async launch(settings) {
        await folder.writeParameters(withPort(settings, port))
        const child = startWatched(command, { ...portVariable(settings, port), ...variables })
        let isGone = false
        // The shell may end before the server, which has ended when its output pipes are closed.
        const gone = new Promise((resolve) => child.once('close', resolve)).then(() => {
          isGone = true
        })
        const lastLines = logOutput(child, outputFile, redact)
        await once(child, 'spawn').catch((cause: unknown) => {
          throw new DriverFailed(`the command could not be started: ${command}`, { cause })
        })
        const started = { group: child.pid ?? 0, folder: variables.TCK_DATA_DIR }
        const crash = async () => {
          signalGroup(child, 'SIGKILL')
          // Background processes of the command may be in another process group.
          const left = child.exitCode === null ? [] : processesOf(started)
          for (const { pid } of left) signalProcess(pid, 'SIGKILL')
          await gone
        }
        return {
          crash,
          async answers(wait) {
            const answering = await waitUntilAnswering(port, () => isGone, wait)
            const other = foreignListener(port, started)
            if (other === null) return answering
            await crash()
            throw portTaken(port, other)
          },
          async stop() {
            signalGroup(child, 'SIGTERM')
            const stopped = gone.then(() => true)
            if (!(await pTimeout(stopped, { milliseconds: graceMs, fallback: () => false }))) await crash()
          },
          async explain() {
            const { exitCode: code, signalCode: signal } = child
            const ended = code === null && signal === null ? null : { code, signal }
            const processes = processesOf(started)
            return { ended, processes, listening: listenersOf(processes), lastLines: lastLines() }
          },
        }
      },
    }
  })
}
