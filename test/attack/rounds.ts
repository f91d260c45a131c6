import { type RoundResult, runRound } from './round.ts'
import type { Scenario } from './scenario.ts'

export interface PlannedRound {
  readonly scenario: Scenario
  readonly number: number
  readonly seed: number
}

export interface Played {
  readonly round: PlannedRound
  readonly result: RoundResult
}

/** Plays all rounds, this many concurrently. */
export async function play(
  tasks: readonly PlannedRound[],
  workers: number,
  onPlayed: (played: Played) => void,
): Promise<readonly Played[]> {
  const waiting = [...tasks]
  const played: Played[] = []
  const work = async () => {
    for (let round = waiting.shift(); round !== undefined; round = waiting.shift()) {
      const one = { round, result: await runRound(round.scenario, round.seed) }
      played.push(one)
      onPlayed(one)
    }
  }
  await Promise.all(Array.from({ length: workers }, work))
  return played
}
