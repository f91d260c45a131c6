import { createRedactor } from '../../http/redact.ts'
import { createRecorder } from '../client/recorder.ts'
import { createPace } from '../client/wait.ts'
import { keyVariations, wrongKeyLabel } from '../session/wrong-keys.ts'
import { createHangDetector } from './hang-detector.ts'
import { createProgress } from './traffic.ts'

/** The settings of any API under test. Can be sent to a worker. */
export interface ApiSettings {
  readonly target: { readonly key: string }
  readonly timeoutMs: number
  /** Null for no limit. */
  readonly maxRequestsPerSecond: number | null
  /** Strings that no output may contain: keys and secrets. */
  readonly secrets: readonly string[]
}

export type Shared = ReturnType<typeof createShared>

export function createShared(apis: readonly Omit<ApiSettings, 'timeoutMs'>[]) {
  const redact = redactorFor(apis)
  const ceilings = apis.flatMap(({ maxRequestsPerSecond }) => maxRequestsPerSecond ?? [])
  return {
    /** Removes every secret of the run from a string, and keys similar to the right ones. */
    redact,
    /** Removes only the secrets. For ledgers, since an address or a command may look like a key. */
    redactSecrets: createRedactor(apis.flatMap(({ secrets }) => secrets)),
    recorder: createRecorder(redact),
    pace: createPace(Math.min(...ceilings)),
    hangDetector: createHangDetector(),
    progress: createProgress(),
  }
}

export function redactorFor(apis: readonly Pick<ApiSettings, 'target' | 'secrets'>[]): (text: string) => string {
  const near = apis.flatMap(({ target }) =>
    keyVariations.map(({ name, apply }) => ({ text: apply(target.key), label: wrongKeyLabel(name) })),
  )
  // Very short keys occur in every text and disclose nothing.
  return createRedactor(
    apis.flatMap(({ secrets }) => secrets),
    near.filter(({ text }) => text.length > 2),
  )
}
