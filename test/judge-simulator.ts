import type { Outcome } from '../suites/runner/outcome.ts'
import { ownServerCapabilities } from '../suites/session/check.ts'
import { createEmbeddedDriver, type SimulatorSettings } from '../suites/targets/embedded.ts'
import { judgeServer, type ServerToJudge } from './judge-server.ts'

const capacity = 12

/** Runs the chosen checks against a simulator with these traits. */
export function judgeSimulator(
  traits: SimulatorSettings,
  chosen: Pick<ServerToJudge, 'checks' | 'only' | 'seed'> & Partial<Pick<ServerToJudge, 'capacity'>>,
): Promise<readonly Outcome[]> {
  return judgeServer({
    driver: createEmbeddedDriver({ capacity, ...traits }),
    capabilities: [...ownServerCapabilities, 'capacity', 'stated-capacity'],
    capacity,
    ...chosen,
  })
}
