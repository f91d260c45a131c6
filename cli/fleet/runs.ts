import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeFolder } from '../make-folder.ts'
import type { Install } from './installs.ts'

const main = fileURLToPath(new URL('../main.js', import.meta.url))

/** How a run of an install is started. */
interface RunOptions {
  /** The folder of the fleet; that of the run is in it. */
  readonly out: string
  readonly args: readonly string[]
  readonly stdio: StdioOptions
  readonly signal: AbortSignal
}

/**
 * Starts `copytrade-tck run` in a process of its own, so that nothing of one install can touch
 * another. It is in a process group of its own: a Ctrl-C at the terminal reaches it only through
 * `signal`, once, and it cleans up. It ends with this process.
 */
export async function startRun(install: Install, { out, args, stdio, signal }: RunOptions): Promise<ChildProcess> {
  const folder = join(out, install.name)
  await makeFolder(folder)
  const config = join(folder, 'run.config.json')
  await writeFile(config, `${JSON.stringify(install.config, null, 2)}\n`)
  const given = [main, 'run', '--config', config, '--out', folder, ...args]
  const child = spawn(process.execPath, given, { env: install.env, stdio, detached: true })
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

/** Does the work for each item, for so many at a time. The results are in the order of the items. */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  concurrency: number,
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = []
  const queue = items.entries()
  const worker = async () => {
    for (const [place, item] of queue) results[place] = await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker))
  return results
}
