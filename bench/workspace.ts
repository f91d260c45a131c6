import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../fixtures/free-port.ts'

/** Short compared with the fastest start that is measured. */
const betweenAttemptsMs = 2
const startLimitMs = 60_000

export interface Program {
  readonly command: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

export interface Started {
  readonly url: string
  readonly pid: number
  /** The time from the start of the process to its first response, whatever the response is. */
  readonly seconds: number
  stop(): Promise<void>
}

/** A folder for one measurement, and the processes that it started. Both are removed at the end. */
export interface Workspace extends AsyncDisposable {
  path(name: string): string
  write(name: string, text: string): string
  /** Starts a server at the port and waits for its first response. */
  serve(program: (port: number) => Program): Promise<Started>
  /** Runs a program that must exit with code 0. */
  run(program: Program): Promise<{ readonly seconds: number; readonly stdout: string }>
  /** Registers an action for the end. The last registered runs first, before the folder is removed. */
  onEnd(action: () => Promise<void> | void): void
}

export function createWorkspace(): Workspace {
  const folder = mkdtempSync(join(tmpdir(), 'copytrade-tck-bench-'))
  const path = (name: string) => join(folder, name)
  const actions: (() => Promise<void> | void)[] = []
  const start = ({ command, args, env }: Program, output: 'ignore' | 'pipe') =>
    spawn(command, args, { cwd: folder, env: { ...process.env, ...env }, stdio: ['ignore', output, output] })

  return {
    path,
    write: (name, text) => {
      writeFileSync(path(name), text)
      return path(name)
    },
    serve: async (program) => {
      const port = await freePort()
      const url = `http://127.0.0.1:${port}`
      const startedAt = performance.now()
      const child = start(program(port), 'ignore')
      const stop = () => kill(child)
      actions.push(stop)
      await untilAnswered(url, child)
      return { url, pid: child.pid ?? 0, seconds: (performance.now() - startedAt) / 1000, stop }
    },
    run: async (program) => {
      const startedAt = performance.now()
      const child = start(program, 'pipe')
      const said = { stdout: '', stderr: '' }
      for (const name of ['stdout', 'stderr'] as const) {
        child[name]?.setEncoding('utf8').on('data', (chunk) => {
          said[name] += chunk
        })
      }
      const [code] = await once(child, 'close')
      if (code !== 0) throw new Error(`${child.spawnargs.join(' ')} ended with ${code}:\n${said.stdout}${said.stderr}`)
      return { seconds: (performance.now() - startedAt) / 1000, stdout: said.stdout }
    },
    onEnd: (action) => {
      actions.push(action)
    },
    [Symbol.asyncDispose]: async () => {
      for (const action of actions.toReversed()) await action()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Waits until a server responds to GET, with any status. */
export async function untilAnswered(url: string, child?: ChildProcess): Promise<void> {
  const limit = performance.now() + startLimitMs
  const answered = () =>
    fetch(`${url}/api/status`).then(
      (response) => response.text(),
      () => undefined,
    )
  while ((await answered()) === undefined) {
    const ended = child !== undefined && child.exitCode !== null
    if (ended || performance.now() > limit) {
      throw new Error(`${child?.spawnargs.join(' ') ?? 'The server'} does not answer at ${url}.`)
    }
    await pause(betweenAttemptsMs)
  }
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
