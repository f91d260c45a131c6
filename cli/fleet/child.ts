import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../main.js', import.meta.url))

/**
 * Starts `copytrade-tck run` in a process of its own, so that nothing of one install can touch
 * another. It is in a process group of its own: a Ctrl-C at the terminal reaches it only through
 * `signal`, once, and it cleans up. It ends with this process.
 */
export function startRun(args: readonly string[], options: SpawnOptions, signal: AbortSignal): ChildProcess {
  const child = spawn(process.execPath, [main, 'run', ...args], { ...options, detached: true })
  const stop = () => void child.kill('SIGTERM')
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  process.on('exit', stop)
  child.on('close', () => {
    signal.removeEventListener('abort', stop)
    process.off('exit', stop)
  })
  return child
}
