/** The moments of replacing a file at which a fault can strike. */
export const writeSteps = ['before-write', 'mid-write', 'before-rename', 'after-rename'] as const

export type WriteStep = (typeof writeSteps)[number]

/** Is awaited at each step; what it throws ends the writing there. */
export type OnWriteStep = (step: WriteStep) => Promise<void>

/**
 * Where the bytes of one file are kept. Readers see the old bytes or the new ones, never a part:
 * once `write` has resolved, the new bytes survive the death of the process.
 */
export interface StoredFile {
  /** The bytes, or undefined where there is no file. */
  readonly read: () => Promise<Uint8Array | undefined>
  /** Replaces the file as a whole. `at` is told of the steps, e.g. to die at one of them. */
  readonly write: (bytes: Uint8Array, at?: OnWriteStep) => Promise<void>
  /** Removes the file; no file is no error. */
  readonly remove: () => Promise<void>
  /** Whether there is a file, readable or not. */
  readonly exists: () => Promise<boolean>
}
