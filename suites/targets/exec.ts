import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { DriverFailed } from './driver.ts'
import { createOwnDriver, type OwnDriver, type OwnServer } from './own-servers.ts'
import { withPort } from './ports.ts'
import { keepOutput } from './process-output.ts'
import { createServerFolder, type ServerFolder } from './server-folder.ts'

export interface ExecOptions {
  /** Run by the shell, once for each life of a server. */
  readonly command: string
  /** File that takes the output of all servers. */
  readonly outputFile: string
  readonly redact: (text: string) => string
  /** How long a server that should come up may take. */
  readonly readyMs: number
  /** How long to wait for a server that may stay silent. */
  readonly briefMs: number
  /** How long a server may take to stop before it is killed. */
  readonly graceMs: number
}

const pollMs = 15

/** A driver that runs a command for each server, as the contract's `--exec` says. */
export function createExecDriver(options: ExecOptions): OwnDriver {
  return createOwnDriver<ServerFolder, ChildProcess>({
    settle: createServerFolder,
    async start(server, patience) {
      const running = await run(server, options)
      const limitMs = patience === 'ready' ? options.readyMs : options.briefMs
      return { running, answering: await untilAnswering(running, server.port, limitMs) }
    },
    stop: (child) => stop(child, options.graceMs),
    crash,
  })
}

async function run(
  { settings, port, home }: OwnServer<ServerFolder, ChildProcess>,
  options: ExecOptions,
): Promise<ChildProcess> {
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
  keepOutput(child, options.outputFile, options.redact)
  // Should the kit end by an error of its own, no server of its may go on.
  const killWithParent = () => signal(child, 'SIGKILL')
  process.once('exit', killWithParent)
  child.once('exit', () => process.off('exit', killWithParent))
  await once(child, 'spawn').catch((cause: unknown) => {
    throw new DriverFailed(`the command could not be started: ${options.command}`, { cause })
  })
  return child
}

/** The kit's own keys are none of the server's business; it gets its key in the parameters. */
function withoutOwnSecrets(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { TCK_API_KEY: _key, TCK_PLATFORM_KEY: _platformKey, TCK_PLATFORM_SECRET: _secret, ...rest } = env
  return rest
}

async function untilAnswering(child: ChildProcess, port: number, limitMs: number): Promise<boolean> {
  const deadline = Date.now() + limitMs
  while (Date.now() < deadline && !hasEnded(child)) {
    if (await answers(port)) return true
    await delay(pollMs)
  }
  return false
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = request({ host: '127.0.0.1', port, path: '/api/status', agent: false, timeout: 1000 })
    probe.on('response', (response) => {
      response.resume()
      resolve(true)
    })
    probe.on('timeout', () => probe.destroy())
    probe.on('error', () => resolve(false))
    probe.end()
  })
}

async function stop(child: ChildProcess, graceMs: number): Promise<void> {
  if (hasEnded(child)) return
  const graceOver = AbortSignal.timeout(graceMs)
  const gone = once(child, 'exit', { signal: graceOver })
  signal(child, 'SIGTERM')
  await gone.catch(() => crash(child))
}

async function crash(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  const gone = once(child, 'exit')
  signal(child, 'SIGKILL')
  await gone
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

function signal(child: ChildProcess, name: 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid === undefined || hasEnded(child)) return
  try {
    process.kill(-child.pid, name)
  } catch {
    // The group has ended in this very moment.
  }
}
