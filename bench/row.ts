import type { Workspace } from './workspace.ts'

/** What `npm run bench -- <part>` selects. */
export type Part = 'server' | 'store' | 'start' | 'run' | 'live' | 'fleet' | 'report' | 'install'

/** The result of one side in one round: requests per second, seconds, bytes or counts, by name. */
export type Reading = Readonly<Record<string, number>>

/** The readings of one round by side: the product, its limit, peers. */
export type Round = Readonly<Record<string, Reading>>

export type Sides = Readonly<Record<string, () => Promise<Reading>>>

export interface Measurement {
  readonly rounds: number
  /** Whether each side is measured once without counting, so that code is compiled and connections are open. */
  readonly warmUp: boolean
  /** Prepares the measurement. Whatever the workspace started and wrote is removed at the end. */
  open(workspace: Workspace): Promise<Sides>
}

/** One line of the results. Rows with the same measurement share its rounds. */
export interface Row {
  readonly id: string
  readonly part: Part
  readonly what: string
  /** The limit or the peers; absent if the figure is not a ratio. */
  readonly against?: string
  readonly goal: number
  readonly direction: 'at least' | 'at most'
  readonly unit: '×' | 's' | 'ms' | 'MB' | 'packages' | 'requests'
  readonly measure: Measurement
  /** The figure of one round. */
  readonly figure: (round: Round) => number
}
