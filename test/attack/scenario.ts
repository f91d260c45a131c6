import type { HostileClient } from '../../fixtures/clients/hostile.ts'
import type { List, Verdict } from '../../fixtures/proxies/serialising.ts'
import type { Random } from './random.ts'

/** What a step of a scenario works with while a request of the kit is held. */
export interface Scene {
  readonly other: HostileClient
  /** The place in the list that the DELETE names, from 0; -1 for another request. */
  readonly position: number
  readonly list: List
  readonly random: Random
  readonly signal: (name: NodeJS.Signals) => void
}

/** One moment of the run, and what happens then. */
export interface Step {
  /** The command whose request it is; `run` if absent. */
  readonly command?: 'run' | 'restore'
  readonly method: 'POST' | 'DELETE' | 'GET'
  /** Which of these requests since the last step, chosen at random between the two. */
  readonly nth: readonly [from: number, to: number]
  /** Before the request reaches the server, or when the server has responded and the kit does not know it. */
  readonly phase: 'before' | 'after'
  readonly act: (scene: Scene) => Promise<Verdict | undefined>
}

export interface Scenario {
  readonly name: string
  readonly server: 'end' | 'start' | 'bare' | 'threaded'
  readonly faults: readonly string[]
  readonly capacity: number
  /** How many foreign rules the list has before the run. */
  readonly foreign: number
  readonly args: readonly string[]
  readonly steps: readonly Step[]
  /** The other client also edits at random. */
  readonly random: RandomEdits | null
  /** Whether the kit gets hooks for the life cycle of the server. */
  readonly hooks: boolean
}

export interface RandomEdits {
  /** Milliseconds between two edits; null for none by the clock. */
  readonly everyMs: readonly [from: number, to: number] | null
  /** One in so many requests of the kit meets an edit right before or after it; null for none. */
  readonly oneIn: number | null
  /** Whether the edits go on while `restore` runs. */
  readonly inRestore?: true
}
