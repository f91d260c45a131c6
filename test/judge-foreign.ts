import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Outcome } from '../suites/runner/outcome.ts'
import { ownServerCapabilities } from '../suites/session/check.ts'
import { createExecDriver } from '../suites/targets/exec.ts'
import { judgeServer, type ServerToJudge } from './judge-server.ts'

/** Runs the chosen checks against the foreign server that this shell command starts. */
export function judgeForeign(
  command: string,
  chosen: Pick<ServerToJudge, 'checks' | 'only' | 'seed'>,
  capacity: number | null = null,
): Promise<readonly Outcome[]> {
  return judgeServer({
    driver: createExecDriver({
      command,
      outputFile: join(tmpdir(), `copytrade-tck-foreign-${process.pid}.log`),
      redact: (text) => text,
      readyMs: 20_000,
      briefMs: 1_000,
      graceMs: 3_000,
    }),
    capabilities: capacity === null ? ownServerCapabilities : [...ownServerCapabilities, 'stated-capacity'],
    capacity,
    ...chosen,
  })
}
