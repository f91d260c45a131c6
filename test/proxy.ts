import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

export interface Proxy {
  readonly port: number
  /** What it has printed, one line for each thing that it did. */
  lines(): readonly string[]
}

/** Starts one of `fixtures/proxies` in a process of its own; it ends with the test. */
export async function startProxy(name: string, env: Readonly<Record<string, string>>): Promise<Proxy> {
  const file = fileURLToPath(new URL(`../fixtures/proxies/${name}.mjs`, import.meta.url))
  const child = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  let printed = ''
  const port = await new Promise<number>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the proxy ${name} ended with ${code}`)))
    child.stdout.on('data', (chunk) => {
      printed += chunk
      const [, found] = /^listening (\d+)\n/.exec(printed) ?? []
      if (found !== undefined) resolve(Number(found))
    })
  })
  return { port, lines: () => printed.trimEnd().split('\n').slice(1) }
}
