import { fileURLToPath } from 'node:url'
import type { Outcome } from '../suites/runner/outcome.ts'
import { judgeForeign } from './judge-foreign.ts'
import type { ServerToJudge } from './judge-server.ts'

const faultyServer = fileURLToPath(new URL('../fixtures/servers/faulty.mjs', import.meta.url))
const capacity = 8

/** Runs the chosen checks against the foreign server with this fault; an empty string stands for none. */
export function judgeFaulty(
  fault: string,
  chosen: Pick<ServerToJudge, 'checks' | 'only' | 'seed'>,
): Promise<readonly Outcome[]> {
  const command = `CAPACITY=${capacity} FAULTS=${fault} exec "${process.execPath}" "${faultyServer}"`
  return judgeForeign(command, chosen, capacity)
}
