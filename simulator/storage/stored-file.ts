/** The steps of replacing a file at which a fault can strike. */
export const writeSteps = ['before-write', 'mid-write', 'before-rename', 'after-rename'] as const

export type WriteStep = (typeof writeSteps)[number]

/** Awaited at each step. An error that it throws ends the write. */
export type OnWriteStep = (step: WriteStep) => Promise<void>

/**
 * Appends bytes to a file. Returns false and does nothing if something else has written or removed the file since. If
 * the process is killed, a part of the bytes may remain.
 */
export type Append = (bytes: Uint8Array) => Promise<boolean>

/** One file. Readers see the old bytes or the new ones, which survive a crash of the process after `write`. */
export interface StoredFile {
  /** The bytes, or undefined if there is no file. */
  readonly read: () => Promise<Uint8Array | undefined>
  /** Replaces the whole file. `at` is called at each step, e.g. to crash there. */
  readonly write: (bytes: Uint8Array, at?: OnWriteStep) => Promise<void>
  /** Appends to the file as it is now. Absent if a file can only be replaced. */
  readonly appender?: (() => Append) | undefined
  /** Removes the file, if there is one. */
  readonly remove: () => Promise<void>
  /** Whether there is a file, readable or not. */
  readonly exists: () => Promise<boolean>
}
