import type { RunSettings } from './context.ts'
import type { Outcome } from './outcome.ts'
import type { PlannedCheck } from './plan.ts'

/** What the suite is told by the process that started it. */
export interface SuiteSetup {
  readonly settings: RunSettings
  readonly plan: readonly PlannedCheck[]
  /** The channel under which a driver is offered; null where the kit cannot start servers. */
  readonly driverChannel: string | null
}

declare module 'vitest' {
  interface ProvidedContext {
    setup: SuiteSetup
  }
  interface TaskMeta {
    outcome?: Outcome
  }
}
