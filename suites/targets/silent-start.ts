import type { Listener, Process } from './listeners.ts'

/** What is known of a server that was started and does not respond. */
export interface SilentStart {
  /** How its command or container ended; null while it runs. */
  readonly ended: { readonly code: number | null; readonly signal: string | null } | null
  /** Its processes that still run. Those of a container are not known. */
  readonly processes: readonly Process[]
  /** Where it listens; null where the system does not tell. */
  readonly listening: readonly Listener[] | null
  /** Its last lines of output, without secrets. */
  readonly lastLines: readonly string[]
}

export const nothingKnown: SilentStart = { ended: null, processes: [], listening: null, lastLines: [] }
