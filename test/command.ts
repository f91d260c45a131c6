import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFailed, onTestFinished } from 'vitest'
import { type EndedCommand, runWarm } from './warm-command.ts'

/** The compiled command. */
export const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))

/** Variables that the command must only get from a test. */
const foreign = /^(TCK_API_KEY|TCK_PORT|TCK_CONTROL_TOKEN|(HTTP|HTTPS|ALL|NO)_PROXY)$/i

export type { EndedCommand as Ended } from './warm-command.ts'

export interface Running {
  readonly child: ChildProcess
  /** Resolves when the output so far matches; rejects if the process ends first. */
  printed(pattern: RegExp): Promise<RegExpMatchArray>
  readonly ended: Promise<EndedCommand>
}

/** An empty folder that is removed after the test. Concurrent tests must pass their own `onTestFinished`. */
export function emptyFolder(onEnd: typeof onTestFinished = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'copytrade-tck-test-'))
  onEnd(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

interface CommandEnvironment {
  readonly env?: Readonly<Record<string, string>>
  /** Concurrent tests pass their own `onTestFinished`. */
  readonly onEnd?: typeof onTestFinished
  readonly cwd?: string
}

function environment(env: Readonly<Record<string, string>>) {
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)))
  // A diagnosis takes seconds of both cores; a test of it asks for one.
  return { ...inherited, NO_COLOR: '1', TCK_DIAGNOSE: '0', ...env }
}

/** Starts the compiled command in its own folder; it is killed at the end of the test. */
export function start(
  args: readonly string[],
  { env = {}, onEnd = onTestFinished, cwd = emptyFolder(onEnd) }: CommandEnvironment = {},
): Running {
  const child = spawn(process.execPath, [main, ...args], { cwd, env: environment(env) })
  onEnd(() => {
    child.kill('SIGKILL')
  })
  let stdout = ''
  let stderr = ''
  const watchers = new Set<() => void>()
  child.stdout.on('data', (chunk) => {
    stdout += chunk
    for (const look of watchers) look()
  })
  child.stderr.on('data', (chunk) => {
    stderr += chunk
    for (const look of watchers) look()
  })
  // A test that waits for something that never comes shows nothing else.
  const show = () => {
    const isRunning = child.exitCode === null && child.signalCode === null
    if (isRunning) console.warn(`still running: ${args.join(' ')}\n${stdout}${stderr}`)
  }
  if (onEnd === onTestFinished) onTestFailed(show)
  const ended = new Promise<EndedCommand>((resolve) => {
    child.on('close', (code) => resolve({ code, stdout, stderr }))
  })
  return {
    child,
    ended,
    printed: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const match = pattern.exec(stdout + stderr)
          if (match === null) return
          watchers.delete(look)
          resolve(match)
        }
        watchers.add(look)
        look()
        void ended.then(() => reject(new Error(`the command ended without printing ${pattern}:\n${stdout}${stderr}`)))
      }),
  }
}

/** Variables that Node.js reads only when it starts. */
const readByNode = /^(NODE_|SSL_)/

/**
 * Runs the compiled command in a process that is reused: most of the time of a short run is spent on loading the
 * product. If the process matters (its signals, output, end), use `start`.
 */
export async function command(
  args: readonly string[],
  { env = {}, onEnd = onTestFinished, cwd = emptyFolder(onEnd) }: CommandEnvironment = {},
): Promise<EndedCommand> {
  if (Object.keys(env).some((name) => readByNode.test(name))) return start(args, { env, onEnd, cwd }).ended
  const testEnds = new AbortController()
  onEnd(() => testEnds.abort())
  return runWarm({ main, args, env: environment(env), cwd }, testEnds.signal)
}
