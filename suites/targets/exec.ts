import { once } from 'node:events'
import pTimeout from 'p-timeout'
import { DriverFailed } from './driver.ts'
import { foreignListener, listenersOf, type Process, processesOf } from './listeners.ts'
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

/** How long a process group takes to end. To search for other processes of the command takes long on some machines. */
const usualEndMs = 500

/** A process may take longer to end while it writes to a disk. */
const longestEndMs = 5_000

/** Processes of a command still hold its output after all that the kit knows were killed. */
class CannotEnd extends DriverFailed {
  readonly hint = 'Give a command whose processes run as the same user and in the process group of the command.'

  constructor(left: readonly Process[]) {
    const names = left.map(({ pid, name }) => `process ${pid}, ${name}`).join('; ')
    super(`the command cannot be ended: ${names || 'an unknown process holds its output'}`)
  }
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
        const endsWithin = (milliseconds: number) =>
          pTimeout(
            gone.then(() => true),
            { milliseconds, fallback: () => false },
          )
        /** Signals the group and, unless it ends at once, the processes of the command outside of it. */
        const end = async (signal: 'SIGTERM' | 'SIGKILL', limitMs: number) => {
          const isRunning = child.exitCode === null && child.signalCode === null
          signalGroup(child, signal)
          if (isRunning && (await endsWithin(Math.min(usualEndMs, limitMs)))) return true
          const left = processesOf(started)
          // A process of the group may have forwarded SIGTERM, and many servers end without saving at the second one.
          const mayBeForwarded = signal === 'SIGTERM' && left.some(({ group }) => group === started.group)
          if (!mayBeForwarded)
            for (const { pid, group } of left) if (group !== started.group) signalProcess(pid, signal)
          return endsWithin(limitMs)
        }
        const crash = async () => {
          if (await end('SIGKILL', longestEndMs)) return
          child.stdout?.destroy()
          child.stderr?.destroy()
          throw new CannotEnd(processesOf(started))
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
            if (!(await end('SIGTERM', graceMs))) await crash()
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
