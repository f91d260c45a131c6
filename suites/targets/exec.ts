import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createWaiting, type Patience } from './answering.ts'
import { withoutOwnSecrets } from './child-environment.ts'
import { DriverFailed } from './driver.ts'
import { createOwnDriver, type OwnDriver, type OwnServer } from './own-servers.ts'
import { withPort } from './ports.ts'
import { keepOutput } from './process-output.ts'
import { createServerFolder, type ServerFolder } from './server-folder.ts'

export interface ExecOptions extends Patience {
  /** Run by the shell, once for each life of a server. */
  readonly command: string
  /** File that takes the output of all servers. */
  readonly outputFile: string
  readonly redact: (text: string) => string
  /** How long a server may take to stop before it is killed. */
  readonly graceMs: number
}

/** A command that was started, with whatever it started itself. */
interface Running {
  readonly child: ChildProcess
  /** Resolves when the last process that holds the command's output is gone. */
  readonly gone: Promise<void>
  isGone(): boolean
}

/** A driver that runs a command for each server, as the contract's `--exec` says. */
export function createExecDriver(options: ExecOptions): OwnDriver {
  const untilAnswering = createWaiting(options)
  return createOwnDriver<ServerFolder, Running>({
    settle: createServerFolder,
    async start(server, patience) {
      const running = await run(server, options)
      return { running, answering: await untilAnswering(server.port, patience, running.isGone) }
    },
    stop: (running) => stop(running, options.graceMs),
    crash,
  })
}

async function run({ settings, port, home }: OwnServer<ServerFolder, Running>, options: ExecOptions): Promise<Running> {
  const parametersFile = join(home.path, 'parameters.json')
  await writeFile(parametersFile, JSON.stringify(withPort(settings, port), null, 2), { mode: 0o600 })
  const child = spawn(options.command, {
    shell: true,
    // A group of its own: the shell may stand between the kit and the server.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...withoutOwnSecrets(process.env),
      TCK_PORT: String(port),
      TCK_DATA_DIR: home.path,
      TCK_PARAMETERS: parametersFile,
    },
  })
  const running = watch(child)
  keepOutput(child, options.outputFile, options.redact)
  await once(child, 'spawn').catch((cause: unknown) => {
    throw new DriverFailed(`the command could not be started: ${options.command}`, { cause })
  })
  return running
}

/**
 * The shell may end before the server does, so its exit says nothing: the server is gone when
 * nobody holds the pipes of its output any more.
 */
function watch(child: ChildProcess): Running {
  let isGone = false
  // Should the kit end by an error of its own, no server of its may go on.
  const killWithParent = () => signal(child, 'SIGKILL')
  process.once('exit', killWithParent)
  const gone = new Promise<void>((resolve) => {
    child.once('close', () => {
      isGone = true
      process.off('exit', killWithParent)
      resolve()
    })
  })
  return { child, gone, isGone: () => isGone }
}

async function stop(running: Running, graceMs: number): Promise<void> {
  signal(running.child, 'SIGTERM')
  const graceOver = new AbortController()
  const stopped = await Promise.race([
    running.gone.then(() => true),
    delay(graceMs, false, { signal: graceOver.signal }).catch(() => true),
  ])
  graceOver.abort()
  if (!stopped) await crash(running)
}

async function crash({ child, gone }: Running): Promise<void> {
  signal(child, 'SIGKILL')
  await gone
}

/** To the whole group; one that has ended already is no error. */
function signal({ pid }: ChildProcess, name: 'SIGTERM' | 'SIGKILL'): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
