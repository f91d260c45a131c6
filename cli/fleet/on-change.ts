import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Environment } from '../transport/proxy.ts'

/** A command that hangs must not end the monitoring. */
const limitMs = 60_000

/**
 * Runs the command of `--on-change` with the line on its stdin. What it prints goes to stderr, and so does its
 * failure, which does not end the monitoring.
 */
export async function runOnChange(command: string, line: string, env: Environment): Promise<void> {
  const failure = await run(command, line, env).catch((error: Error) => error.message)
  if (failure !== null) process.stderr.write(`\`--on-change\` failed: ${failure}.\n`)
}

async function run(command: string, line: string, env: Environment): Promise<string | null> {
  const child = spawn(command, { shell: true, env, stdio: ['pipe', 2, 2], timeout: limitMs, killSignal: 'SIGKILL' })
  // It need not read the line.
  child.stdin?.on('error', () => {}).end(`${line}\n`)
  const [code, signal] = await once(child, 'exit')
  if (code === 0) return null
  return code === null ? `${signal}` : `exit code ${code}`
}
