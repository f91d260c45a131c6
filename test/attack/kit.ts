import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Report } from '../../reports/report.ts'
import type { EndedRun } from './claims.ts'

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

/** The maximum duration of one command. */
const maxDurationMs = 400_000

/** The kit in its own folder, run as processes. */
export interface Kit {
  run(args: readonly string[]): Promise<EndedRun>
  /** Finishes the clean-up; null if there is no ledger. */
  restore(args?: readonly string[]): Promise<EndedRun | null>
  /** Sends a signal to the running process. */
  signal(name: NodeJS.Signals): void
}

export function createKit(folder: string, key: string): Kit {
  const reportFolder = join(folder, 'tck-report')
  let child: ChildProcess | null = null

  async function command(name: EndedRun['command'], args: readonly string[]): Promise<EndedRun> {
    const { TCK_API_KEY: _, ...inherited } = process.env
    const env = { ...inherited, NO_COLOR: '1', TCK_API_KEY: key, TMPDIR: folder }
    child = spawn(process.execPath, [main, name, ...args], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
    const timer = setTimeout(() => child?.kill('SIGKILL'), maxDurationMs)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => {
        output += chunk
      })
    }
    const [code, signal] = await new Promise<[number | null, string | null]>((resolve) => {
      child?.on('close', (ended, by) => resolve([ended, by]))
    })
    clearTimeout(timer)
    return { command: name, code, signal, output, report: name === 'run' ? reportIn(reportFolder) : null }
  }

  return {
    run: (args) => command('run', args),
    async restore(args = []) {
      const ledger = ledgerIn(reportFolder)
      return ledger === null ? null : command('restore', ['--ledger', ledger, ...args])
    },
    signal: (name) => void child?.kill(name),
  }
}

function reportIn(folder: string): Report | null {
  const file = join(folder, 'report.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Report) : null
}

function ledgerIn(folder: string): string | null {
  if (!existsSync(folder)) return null
  const name = readdirSync(folder).find((file) => file.startsWith('ledger-'))
  return name === undefined ? null : join(folder, name)
}
