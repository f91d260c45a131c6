import type { Workplace } from './workplace.ts'

/** What `npm run bench -- <part>` selects. */
export type Part = 'server' | 'store' | 'start' | 'run' | 'live' | 'fleet' | 'report' | 'install'

/** What one side showed in one round: requests a second, seconds, bytes or counts, by name. */
export type Reading = Readonly<Record<string, number>>

/** The readings of one round by side: the product, its limit, peers. */
export type Round = Readonly<Record<string, Reading>>

export type Sides = Readonly<Record<string, () => Promise<Reading>>>

export interface Measurement {
  readonly rounds: number
  /** Whether each side is measured once without being counted, so that code is compiled and connections are open. */
  readonly warmUp: boolean
  /** Prepares what is measured. What the workplace started and wrote is removed at the end. */
  open(workplace: Workplace): Promise<Sides>
}

/** One line of the results. Rows with the same measurement are read off the same rounds. */
export interface Row {
  readonly id: string
  readonly part: Part
  readonly what: string
  /** The limit or the peers; absent for a figure that is not a ratio. */
  readonly against?: string
  readonly goal: number
  readonly direction: 'at least' | 'at most'
  readonly unit: '×' | 's' | 'ms' | 'MB' | 'packages' | 'requests'
  readonly measure: Measurement
  /** The figure of one round. */
  readonly figure: (round: Round) => number
}
