import type { Transport } from '../../client/transport.ts'
import type { Pace } from '../../client/wait.ts'
import type { Draft, Rule } from '../../model/rule.ts'
import type { Ledger } from '../../safety/ledger.ts'
import type { LoginRange } from '../../session/logins.ts'
import type { StartOptions, StartWait } from '../driver.ts'
import {
  asBefore,
  type DesiredParameters,
  type LifecycleOperator,
  type Person,
  type Purpose,
  type StepName,
} from './step.ts'

/** How a running server is reached, and who drives its life cycle. */
export interface LiveOptions extends StartOptions {
  readonly url: string
  readonly transport: Transport
  /** Waits before each request that is not of a check. */
  readonly pace: Pace
  /** The original key. */
  readonly key: string
  readonly logins: LoginRange
  readonly hooks: LifecycleOperator
  /** Does the steps without a hook; null if no person is asked. */
  readonly person: Person | null
  readonly ledger: Ledger
  readonly timeoutMs: number
  readonly redact: (text: string) => string
}

export interface LiveState {
  /** The parameters since the last steps; null if these were interrupted. */
  desired: DesiredParameters | null
  /** The server accepts one of these keys. There are several if steps may or may not have had an effect. */
  keys: readonly string[]
  running: boolean
  /** Whether it answered after the last steps. */
  answering: boolean
  /** Whether the parameters may differ from the original ones. */
  configured: boolean
  /** The foreign rules, in their order. */
  order: readonly Draft[]
  /** The list when it was last read. Another client made any later change of its order. Null if unknown. */
  seen: readonly Rule[] | null
  /** The foreign rules that the steps removed from the list. */
  removed: readonly Draft[]
}

/** The state of an unchanged server, except for the given members. */
export function liveState(given: Pick<LiveState, 'keys' | 'order'> & Partial<LiveState>): LiveState {
  const asFound = { running: true, answering: true, configured: false }
  return { desired: asBefore, seen: null, removed: [], ...asFound, ...given }
}

/** Steps that belong together, and their expected result. */
export interface Batch {
  readonly steps: readonly StepName[]
  readonly desired: DesiredParameters
  /** Default: `ready`. */
  readonly wait?: StartWait
  /** Rules that must no longer be in the list. Default: none. */
  readonly gone?: readonly Draft[]
  /** Default: `check`. */
  readonly purpose?: Purpose
}
