import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { programOf, programOrSkip } from '../../fixtures/programs.ts'
import { isProof, seed, someOf } from '../../fixtures/test-size.ts'
import type { Report } from '../../reports/report.ts'
import { chosenChecks } from '../chosen-checks.ts'
import { conformingServers } from '../conforming-servers.ts'

/** Without the proof, one server is judged by the chosen checks only. */
const capacity = '16'
const names = conformingServers.map(({ name }) => name)
const chosen = someOf(names, 1)
const servers = conformingServers.filter(({ name }) => chosen.includes(name))
const testable = servers.filter(({ name }) => name !== 'threaded' || programOf('python3') !== null)

/** The kit cannot choose the capacity of a foreign server; `fixtures/servers` has tests of these two. */
const needCapacity = ['plugin.start.copy-over-capacity', 'plugin.start.file-over-capacity']
/** A server that rejects unknown members does not show how it handles the text inside. */
const hidden: Record<string, readonly string[]> = { plain: ['plugin.body.invalid-utf-8'] }

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'copytrade-tck-foreign-'))
const breakOff = new AbortController()
const ended = new Map<string, { code: number | null; output: string }>()

/** Other tests run at the same time: `default-port.test.ts` has this one. */
const defaultPort = 'plugin.limits.default-port'

function judge({ name, run }: (typeof servers)[number]): Promise<void> {
  const cwd = join(folder, name)
  mkdirSync(cwd)
  const args = ['run', '--strict', '--exec', `exec ${run}`, '--capacity', capacity, '--skip', defaultPort]
  if (!isProof) args.push(...chosenChecks)
  const { TCK_API_KEY: _key, TCK_PORT: _port, ...inherited } = process.env
  const env = { ...inherited, CAPACITY: capacity, NO_COLOR: '1' }
  return new Promise((resolve) => {
    execFile(process.execPath, [main, ...args], { cwd, env, signal: breakOff.signal }, (error, stdout, stderr) => {
      ended.set(name, { code: error === null ? 0 : Number(error.code), output: stdout + stderr })
      resolve()
    })
  })
}

beforeAll(() => Promise.all(testable.map(judge)), 240_000)

afterAll(() => {
  breakOff.abort()
  rmSync(folder, { recursive: true, force: true })
})

describe.each(servers)(`the foreign server $name (TCK_SEED=${seed})`, ({ name, answers }) => {
  beforeEach(({ skip }) => {
    if (name === 'threaded') programOrSkip('python3', skip)
  })

  const readReport = () => {
    const { code, output } = ended.get(name) ?? {}
    expect(code, output).toBe(0)
    return JSON.parse(readFileSync(join(folder, name, 'tck-report/report.json'), 'utf8')) as Report
  }

  test.skipIf(isProof)('passes the chosen checks', () => {
    const judged = readReport().requirements.filter(({ status }) => status === 'passed' || status === 'partly-judged')
    expect(judged.length).toBeGreaterThan(5)
  })

  test.runIf(isProof)('passes every requirement, and each of its answers is observed', () => {
    const { requirements, observations } = readReport()
    const rest = requirements.filter(({ status }) => status !== 'passed')
    expect(rest.map(({ id, status }) => `${id} ${status}`)).toEqual([`${defaultPort} out-of-scope`])
    const unseen = [...needCapacity, ...(hidden[name] ?? [])]
    const expected = Object.entries(answers).map(([id, answer]) => [id, unseen.includes(id) ? null : answer])
    const observed = observations.map(({ question, answer }) => [question, answer])
    expect(Object.fromEntries(observed)).toEqual(Object.fromEntries(expected))
  })
})
