import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Chosen, judge } from '../cli/selftest/plugin/judge.ts'
import type { Outcome } from '../suites/runner/outcome.ts'
import { ownServerCapabilities } from '../suites/session/check.ts'
import { createExecDriver } from '../suites/targets/exec.ts'

const faultyServer = fileURLToPath(new URL('../fixtures/servers/faulty.mjs', import.meta.url))
const capacity = 8

/** Runs the chosen checks against the foreign server with this fault, or with none where it is empty. */
export function judgeFaulty(fault: string, chosen: Chosen): Promise<readonly Outcome[]> {
  return judge({
    driver: createExecDriver({
      command: `CAPACITY=${capacity} FAULTS=${fault} exec "${process.execPath}" "${faultyServer}"`,
      outputFile: join(tmpdir(), `copytrade-tck-faulty-${process.pid}.log`),
      redact: (text) => text,
      readyMs: 20_000,
      briefMs: 1_000,
      graceMs: 3_000,
    }),
    capabilities: [...ownServerCapabilities, 'stated-capacity'],
    capacity,
    chosen,
  })
}
