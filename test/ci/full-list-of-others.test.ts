import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { someOf } from '../../fixtures/test-size.ts'
import type { Report } from '../../reports/report.ts'
import type { SimulatorOptions } from '../../simulator/index.ts'
import { command, emptyFolder } from '../command.ts'
import { liveKey, startLiveServer } from '../live-server.ts'

const env = { TCK_API_KEY: liveKey }
const code = 'list.other-rule-lost-by-add'

/** A server that, at a capacity, changes the rules in its list instead of rejecting a new one. */
function changesListAt(
  capacity: number,
  wrong: 'removes the oldest' | 'overwrites the last' | 'drops the first and answers 500',
): SimulatorOptions {
  return {
    capacity,
    override: ({ isFull, addRule }) => {
      let full = false
      return {
        isFull: (rules, most) => {
          full = isFull(rules, most)
          return false
        },
        addRule(rules, rule) {
          if (!full) return addRule(rules, rule)
          if (wrong === 'removes the oldest') return addRule(rules.slice(1), rule)
          if (wrong === 'overwrites the last') return addRule(rules.slice(0, -1), rule)
          return { rules: rules.slice(1), position: 0 }
        },
        finish: (response) =>
          full && response.status === 201 && wrong.endsWith('500') ? { ...response, status: 500 } : response,
      }
    },
  }
}

interface Case {
  readonly risk: 'write' | 'exclusive'
  readonly capacity: number
  readonly wrong: Parameters<typeof changesListAt>[1]
  /** 1 if the list is exact again. */
  readonly exit: number
  /** The checks to run. Default: those that fill the list. */
  readonly only?: readonly string[]
}

const cases: readonly Case[] = [
  { risk: 'write', capacity: 20, wrong: 'removes the oldest', exit: 5 },
  { risk: 'write', capacity: 20, wrong: 'overwrites the last', exit: 1 },
  { risk: 'write', capacity: 20, wrong: 'overwrites the last', exit: 1, only: ['*'] },
  { risk: 'write', capacity: 20, wrong: 'overwrites the last', exit: 1, only: ['CT-419'] },
  { risk: 'write', capacity: 20, wrong: 'drops the first and answers 500', exit: 5 },
  { risk: 'exclusive', capacity: 26, wrong: 'removes the oldest', exit: 5 },
  { risk: 'exclusive', capacity: 20, wrong: 'overwrites the last', exit: 1 },
  { risk: 'exclusive', capacity: 26, wrong: 'drops the first and answers 500', exit: 5 },
]
const filling = ['plugin.add.created', 'plugin.capacity.*', 'plugin.delete.keeps-order']
const chosen = someOf(cases, 3)

test.for(chosen)(
  'with $risk and capacity $capacity, a server with 20 foreign rules that $wrong is non-conformant',
  async ({ risk, capacity, wrong, exit, only = filling }) => {
    const server = await startLiveServer(20, changesListAt(capacity, wrong))
    const before = server.rules()
    const folder = emptyFolder()
    const args = [
      'run',
      '--target',
      server.url,
      '--risk',
      risk,
      '--max-fill',
      '50',
      '--yes',
      ...only.flatMap((id) => ['--only', id]),
    ]
    const ended = await command(args, { env, cwd: folder })

    const report = JSON.parse(readFileSync(join(folder, 'tck-report/report.json'), 'utf8')) as Report
    expect(report.verdict).toBe('non-conformant')
    const failed = report.requirements.filter(({ status }) => status === 'failed')
    const harmed = failed.filter(({ checks }) => checks.some((check) => check.code === code))
    expect(harmed.map(({ id, level }) => [id, level])).toEqual([['plugin.add.leaves-others', 'required']])
    // No recorded defect shows in this way, so none may be named for it.
    for (const { explains } of report.diagnosis ?? []) expect(explains).not.toContain(harmed[0]?.checks[0]?.id)
    expect(ended.stdout).not.toContain('another client')
    expect(report.harm?.interference).toEqual([])

    // Nothing is lost, and a rule that is now at the end of the list is named.
    const byFollower = (rules: typeof before) =>
      rules.toSorted((one, other) => Number(one.follower) - Number(other.follower))
    expect(byFollower(server.rules())).toEqual(byFollower(before))
    expect(ended.code).toBe(exit)
    if (exit === 1) expect(server.rules()).toEqual(before)
    else expect(ended.stdout).toMatch(/added again at #17, was at #0 before: 1000>20000/)
  },
)
