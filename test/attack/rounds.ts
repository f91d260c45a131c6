import { type RoundResult, runRound } from './round.ts'
import type { Scenario } from './scenario.ts'

export interface Task {
  readonly scenario: Scenario
  readonly number: number
  readonly seed: number
}

export interface Played {
  readonly task: Task
  readonly result: RoundResult
}

/** Plays all rounds, this many concurrently. */
export async function play(
  tasks: readonly Task[],
  workers: number,
  onPlayed: (played: Played) => void,
): Promise<readonly Played[]> {
  const waiting = [...tasks]
  const played: Played[] = []
  const work = async () => {
    for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) {
      const one = { task, result: await runRound(task.scenario, task.seed) }
      played.push(one)
      onPlayed(one)
    }
  }
  await Promise.all(Array.from({ length: workers }, work))
  return played
}
