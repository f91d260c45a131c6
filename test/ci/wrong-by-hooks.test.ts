import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { programOrSkip } from '../../fixtures/programs.ts'
import { seed, someOf } from '../../fixtures/test-size.ts'
import type { Report } from '../../reports/report.ts'
import { pluginChecks } from '../../suites/checks/plugin/all.ts'
import type { Capability } from '../../suites/session/check.ts'
import { command, emptyFolder } from '../command.ts'
import { startSupervised, supervisedKey } from '../supervised-server.ts'
import { shellCommand, wrongServers } from '../wrong-servers.ts'

const steps = ['stop', 'start', 'set-parameters', 'delete-rules-file'] as const
const byHooks: readonly Capability[] = ['launch', 'restart', 'parameters', 'delete-rules-file']

/** Faults that a run with hooks cannot attribute to the server, and why. The run is incomplete, not conformant. */
const undecided: Readonly<Record<string, string>> = {
  'reset-restores-backup': 'The hook command may have deleted nothing.',
  'file-not-truncated': 'The rule that appears at a start may be one of another client.',
}

/** The kit sends overlapping additions only if the list has been that long before, so it takes a whole run. */
const inWholeRuns = ['concurrent-saves-out-of-order']

const needsOf = new Map(pluginChecks.map(({ id, needs = [] }) => [id, needs]))
const isByHooks = (id: string) => needsOf.get(id)?.every((need) => byHooks.includes(need)) === true

/** Faults that show only on a server that is started again, with the checks that fail for them. */
const faults = wrongServers.flatMap((server) =>
  Object.entries(server.caught)
    .filter(([, checks]) => checks.every((id) => needsOf.get(id)?.length !== 0))
    .map(([fault, checks]) => ({ server, fault, checks: checks.filter(isByHooks) }))
    .filter(({ fault, checks }) => checks.length > 0 && !inWholeRuns.includes(fault)),
)

test.for(someOf(faults, 2))(`a run with hooks does not pass $fault (TCK_SEED=${seed})`, async (tried, { skip }) => {
  const { server, fault, checks } = tried
  programOrSkip(server.language, skip)
  const running = await startSupervised(undefined, shellCommand(server, fault))
  const folder = emptyFolder()
  const hooks = steps.flatMap((step) => running.hook(step))
  const only = checks.flatMap((id) => ['--only', id])
  const args = [
    'run',
    '--target',
    running.url,
    '--risk',
    'exclusive',
    '--parameters',
    running.before,
    ...hooks,
    ...only,
  ]
  if (server.strict) args.push('--strict')
  const { stdout } = await command([...args, '--capacity', String(server.capacity), '--seed', '1'], {
    env: { TCK_API_KEY: supervisedKey },
    cwd: folder,
  })
  const report = JSON.parse(readFileSync(join(folder, 'tck-report/report.json'), 'utf8')) as Report
  expect(report.verdict, stdout).toBe(fault in undecided ? 'incomplete' : 'non-conformant')
})
