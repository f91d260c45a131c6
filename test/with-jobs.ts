import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Report } from '../reports/report.ts'
import { pluginCases } from '../suites/checks/plugin/all.ts'
import { emptyFolder, start } from './command.ts'

/** A server that the kit starts. */
export interface JudgedServer {
  readonly name: string
  /** A shell command. */
  readonly exec: string
  /** The number of rules that it can hold. */
  readonly capacity: number
}

/** Other tests run at the same time, and there is only one default port. */
const defaultPort = 'plugin.limits.default-port'

/** Judges a server with this many concurrent checks. Returns the findings, in the order of the report. */
export async function verdictsOf({ exec, capacity }: JudgedServer, jobs: number, more: readonly string[]) {
  const cwd = emptyFolder()
  const args = [
    'run',
    '--exec',
    exec,
    '--capacity',
    `${capacity}`,
    '--skip',
    defaultPort,
    '--evidence',
    'all',
    '--jobs',
    `${jobs}`,
    ...more,
  ]
  const { code, stdout, stderr } = await start(args, { cwd }).ended
  if (![0, 1, 3].includes(code ?? -1)) throw new Error(`the run ended with ${code}: ${stdout}${stderr}`)
  const { verdict, requirements, observations } = JSON.parse(
    readFileSync(join(cwd, 'tck-report/report.json'), 'utf8'),
  ) as Report
  const checks = requirements.flatMap(({ checks: ofOne }) => ofOne)
  return {
    verdict,
    checks: checks.map(({ id, status, code: failure }) => `${id} ${status} ${failure}`),
    answers: observations.map(({ question, answer }) => `${question} ${answer}`),
    /** Without the checks whose requests overlap, and so arrive in a different order each time. */
    firstBodies: checks.flatMap(({ id, exchanges }) => {
      const body = exchanges.find(({ request }) => request.method === 'POST')?.request.body
      return overlapping.includes(id) || body === undefined ? [] : `${id} ${body}`
    }),
  }
}

const overlapping: readonly string[] = [...pluginCases.flatMap((check) => (check.alone ? check.id : [])), 'CT-955']
