import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeFolder } from '../files.ts'
import type { Install } from './installs.ts'

const main = fileURLToPath(new URL('../main.js', import.meta.url))

interface RunOptions {
  /** The folder of the fleet, which contains the folder of the run. */
  readonly out: string
  readonly args: readonly string[]
  readonly stdio: StdioOptions
  readonly signal: AbortSignal
}

/**
 * Starts `copytrade-tck run` in its own process, so that installs cannot affect each other. It has its own process
 * group, so Ctrl-C reaches it only once, through `signal`, and it cleans up. It ends with this process.
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

/** Runs `work` for each item, at most `concurrency` at a time. The results are in the order of the items. */
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
