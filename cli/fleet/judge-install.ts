import { spawn } from 'node:child_process'
import { once, setMaxListeners } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { failedChecks } from '../../reports/phrases.ts'
import type { Report } from '../../reports/report.ts'
import { otherFailures } from '../../reports/verdict.ts'
import { visibleLine } from '../../reports/visible.ts'
import { removeReports } from '../../reports/write.ts'
import { exitCode } from '../exit-code.ts'
import { makeFolder } from '../files.ts'
import type { FleetInstall } from '../fleet-document.ts'
import type { Install } from './installs.ts'

const main = fileURLToPath(new URL('../main.js', import.meta.url))

/** Judges one install with its own `run`. Errors become part of the result. The report is null if it wrote none. */
export async function judgeInstall(install: Install, out: string, signal: AbortSignal) {
  const { name, options } = install
  const startedAt = signal.aborted ? null : new Date()
  const startedMs = performance.now()
  const { code, explanation, report } = startedAt === null ? notJudged : await judgeIn(join(out, name), install, signal)
  const known = new Set(report?.gate?.excused.map(({ check }) => check))
  const requirements = report?.requirements ?? []
  const { target, platform } = options
  const main = target.kind === 'none' ? platform : target
  const judged: FleetInstall = {
    name,
    target: main?.kind === 'url' ? main.url : (main?.kind ?? ''),
    risk: options.risk,
    exitCode: code,
    verdict: report?.verdict ?? null,
    explanation,
    startedAt: startedAt?.toISOString() ?? null,
    durationMs: startedAt === null ? 0 : Math.round(performance.now() - startedMs),
    folder: name,
    plugin: report?.target.plugin ?? null,
    statuses: Object.fromEntries(requirements.map(({ id, status }) => [id, status])),
    failures: requirements.flatMap((requirement) =>
      failedChecks(requirement).map(({ id: check, code = null, message }) => ({
        ...{ check, requirement: requirement.id, level: requirement.level, code },
        ...{ message: message ?? '', known: known.has(check) },
      })),
    ),
  }
  return { install: judged, report }
}

const notJudged = {
  code: exitCode.incomplete,
  explanation: 'The fleet was interrupted before this install.',
  report: null,
}

async function judgeIn(folder: string, install: Install, signal: AbortSignal) {
  try {
    const code = await run(install, folder, signal)
    if (code === null) return notJudged
    const path = join(folder, 'report.json')
    const report = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Report) : null
    return { code, explanation: report === null ? lastLines(join(folder, 'run.log')) : reasonsIn(report), report }
  } catch (error) {
    // For example, the folder cannot be written.
    return { code: exitCode.kitError, explanation: visibleLine((error as Error).message), report: null }
  }
}

/** What the verdict and the exit code are due to. */
function reasonsIn(report: Report): string {
  return [...new Set([report.explanation, ...otherFailures(report).map(({ message }) => message)])].join(' ')
}

/**
 * Runs `copytrade-tck run` in its own process, so that installs cannot affect each other, and returns its exit code; null
 * if it was interrupted before it began. It has its own process group, so Ctrl-C reaches it only once, through `signal`,
 * and it cleans up. It ends with this process.
 */
async function run({ config, env }: Install, folder: string, signal: AbortSignal): Promise<number | null> {
  await makeFolder(folder)
  await removeReports(folder)
  if (signal.aborted) return null
  const configFile = join(folder, 'run.config.json')
  // Its hook commands may hold secrets. The mode is only that of a new file.
  rmSync(configFile, { force: true })
  writeFileSync(configFile, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 })
  const log = openSync(join(folder, 'run.log'), 'w')
  const args = [main, 'run', '--config', configFile, '--out', folder, '--yes', '--quiet']
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', log, log], detached: true })
  closeSync(log)
  const stop = () => void child.kill('SIGTERM')
  // Each of the installs that are judged at the same time has its listeners.
  setMaxListeners(0, signal, process)
  signal.addEventListener('abort', stop)
  process.on('exit', stop)
  try {
    const [code, endedBy] = await once(child, 'close')
    // A run that has begun handles SIGTERM.
    return signal.aborted && endedBy === 'SIGTERM' ? null : (code ?? exitCode.kitError)
  } finally {
    signal.removeEventListener('abort', stop)
    process.off('exit', stop)
  }
}

/** The end of the output, without secrets: a run that writes no report says why there. */
function lastLines(log: string): string {
  const lines = existsSync(log) ? readFileSync(log, 'utf8').split('\n') : []
  const last = lines.filter((line) => line.trim() !== '').slice(-3)
  return visibleLine(last.join(' ')) || 'The run ended without output.'
}
