import type { Measurement, Reading, Round, Row, Sides } from './row.ts'
import { createWorkspace } from './workspace.ts'

/** A row with the results of its rounds. */
export interface Result extends Omit<Row, 'figure' | 'measure'> {
  /** The figure of each round, in order. */
  readonly figures: readonly number[]
  readonly median: number
  readonly lowest: number
  readonly highest: number
  readonly met: boolean
  /** The median of each side, in the units of the measurement. */
  readonly sides: Round
}

/** Measures once for all rows that share a measurement. */
export async function measureRows(measurement: Measurement, rows: readonly Row[]): Promise<readonly Result[]> {
  await using workspace = createWorkspace()
  const rounds = await playRounds(measurement, await measurement.open(workspace))
  return rows.map((row) => resultOf(row, rounds))
}

/** The sides alternate, in reverse order every second round, so that a change of the machine affects all of them. */
export async function playRounds({ rounds, warmUp }: Omit<Measurement, 'open'>, sides: Sides): Promise<Round[]> {
  const names = Object.keys(sides)
  const play = async (order: readonly string[]): Promise<Round> => {
    const readings: Record<string, Reading> = {}
    for (const name of order) readings[name] = (await sides[name]?.()) ?? {}
    return readings
  }
  if (warmUp) await play(names)
  const played: Round[] = []
  for (let round = 0; round < rounds; round += 1) played.push(await play(round % 2 === 0 ? names : names.toReversed()))
  return played
}

export function resultOf({ figure, measure: _, ...row }: Row, rounds: readonly Round[]): Result {
  const figures = rounds.map(figure)
  const median = medianOf(figures)
  return {
    ...row,
    figures,
    median,
    lowest: Math.min(...figures),
    highest: Math.max(...figures),
    met: row.direction === 'at least' ? median >= row.goal : median <= row.goal,
    sides: medianReadings(rounds),
  }
}

export function medianOf(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted.slice(Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2) + 1)
  return middle.reduce((sum, number) => sum + number, 0) / middle.length
}

function medianReadings(rounds: readonly Round[]): Round {
  const sides = Object.entries(rounds[0] ?? {}).map(([side, reading]) => {
    const medians = Object.keys(reading).map((name) => [
      name,
      medianOf(rounds.map((round) => round[side]?.[name] ?? Number.NaN)),
    ])
    return [side, Object.fromEntries(medians)]
  })
  return Object.fromEntries(sides)
}
