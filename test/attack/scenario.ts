import type { HostileClient } from '../../fixtures/clients/hostile.ts'
import type { List, Verdict } from '../../fixtures/proxies/serialising.ts'
import type { Random } from './random.ts'

/** What a step of a scenario can use while a request of the kit is held. */
export interface TestEnvironment {
  readonly other: HostileClient
  /** The position of the rule that the DELETE names, from 0; -1 for another request. */
  readonly position: number
  readonly list: List
  readonly random: Random
  readonly signal: (name: NodeJS.Signals) => void
}

/** One moment of the run, and what happens at it. */
export interface ScenarioStep {
  /** The command that sends the request; `run` by default. */
  readonly command?: 'run' | 'restore'
  readonly method: 'POST' | 'DELETE' | 'GET'
  /** Which of these requests since the last step, chosen at random in this range. */
  readonly nth: readonly [from: number, to: number]
  /** Before the request reaches the server, or after the server has responded but before the kit gets the response. */
  readonly phase: 'before' | 'after'
  readonly act: (environment: TestEnvironment) => Promise<Verdict | undefined>
}

export interface Scenario {
  readonly name: string
  readonly server: 'end' | 'start' | 'bare' | 'threaded'
  readonly faults: readonly string[]
  readonly capacity: number
  /** How many foreign rules the list has before the run. */
  readonly foreign: number
  readonly args: readonly string[]
  readonly steps: readonly ScenarioStep[]
  /** The other client also edits at random. */
  readonly random: RandomEdits | null
  /** Whether the kit gets shell hooks for the life cycle of the server. */
  readonly hooks: boolean
}

export interface RandomEdits {
  /** Milliseconds between two edits; null for no timed edits. */
  readonly everyMs: readonly [from: number, to: number] | null
  /** One in this many requests of the kit has an edit right before or after it; null for none. */
  readonly oneIn: number | null
  /** Whether the edits continue while `restore` runs. */
  readonly inRestore?: true
}
