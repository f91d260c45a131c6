import { createRedactor } from '../../http/redact.ts'
import { createPace } from '../client/pace.ts'
import { createRecorder } from '../client/recorder.ts'
import { keyVariations, wrongKeyLabel } from '../session/wrong-keys.ts'
import { createHangs } from './hangs.ts'

/** How any API is judged. Can be sent as a message. */
export interface ApiSettings {
  readonly target: { readonly key: string }
  readonly timeoutMs: number
  /** `null` for no ceiling. */
  readonly maxRequestsPerSecond: number | null
  /** Strings that no output may contain: keys and secrets. */
  readonly secrets: readonly string[]
}

export type Shared = ReturnType<typeof createShared>

/** What APIs that are judged in one run share. */
export function createShared(apis: readonly Omit<ApiSettings, 'timeoutMs'>[]) {
  const redact = redactorFor(apis)
  const ceilings = apis.flatMap(({ maxRequestsPerSecond }) => maxRequestsPerSecond ?? [])
  return {
    /** Removes every secret of the run from a string, and the keys that resemble the right ones. */
    redact,
    /** Removes only the secrets: for a ledger, since an address or a command in it may resemble a key. */
    redactSecrets: createRedactor(secretsOf(apis)),
    recorder: createRecorder(redact),
    pace: createPace(Math.min(...ceilings)),
    hangs: createHangs(),
  }
}

/** Removes the secrets of these APIs from a string, and the keys that resemble the right ones. */
export function redactorFor(apis: readonly Pick<ApiSettings, 'target' | 'secrets'>[]): (text: string) => string {
  const near = apis.flatMap(({ target }) =>
    keyVariations.map(({ name, apply }) => ({ text: apply(target.key), label: wrongKeyLabel(name) })),
  )
  // A character or two are in every text, and disclose nothing.
  return createRedactor(
    secretsOf(apis),
    near.filter(({ text }) => text.length > 2),
  )
}

function secretsOf(apis: readonly Pick<ApiSettings, 'secrets'>[]): readonly string[] {
  return apis.flatMap(({ secrets }) => secrets)
}
