import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

export interface RunningProxy {
  readonly port: number
  /** Its output, one line for each thing that it did. */
  lines(): readonly string[]
}

/** Starts one of `fixtures/proxies` in a separate process; it ends with the test. */
export function startProxy(name: string, env: Readonly<Record<string, string>>): Promise<RunningProxy> {
  return startServer(fileURLToPath(new URL(`../fixtures/proxies/${name}.mjs`, import.meta.url)), env)
}

/** Starts a module that prints `listening <port>`; it ends with the test. */
export async function startServer(file: string, env: Readonly<Record<string, string>>): Promise<RunningProxy> {
  const child = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  let printed = ''
  const port = await new Promise<number>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code}`)))
    child.stdout.on('data', (chunk) => {
      printed += chunk
      const [, found] = /^listening (\d+)\n/.exec(printed) ?? []
      if (found !== undefined) resolve(Number(found))
    })
  })
  return { port, lines: () => printed.trimEnd().split('\n').slice(1) }
}
