import type { Clock } from '../server/clock.ts'

/**
 * What the control server needs of a platform that is served beside the plugin. The platform simulator
 * has all of it, and `serve-control.ts` connects the two, so that neither imports the other.
 */
export interface ControlledPlatform {
  readonly running: boolean
  readonly account: { readonly id: string; readonly name: string; readonly createdAt: Date }
  readonly accounts: readonly {
    readonly id: string
    readonly name: string
    readonly group: string
    readonly leverage: number
    readonly currency: string
    readonly balance: number
    readonly createdAt: string
  }[]
  readonly keys: {
    readonly create: (wanted: WantedKey) => Promise<CreatedKey>
    readonly revoke: (id: string) => Promise<void>
    readonly expire: (id: string, at?: Date) => Promise<void>
    readonly list: () => Promise<readonly Key[]>
    readonly present: () => readonly Key[]
  }
  readonly clock: Clock
  readonly restart: () => Promise<void>
  readonly crash: () => Promise<void>
  readonly reset: () => Promise<void>
  readonly subscribe: (listener: () => void) => () => void
}

interface WantedKey {
  readonly name?: string
  readonly expiresAt?: Date
  readonly live?: boolean
}

interface CreatedKey {
  readonly id: string
  readonly apiKey: string
  readonly apiSecret: string
}

/** A key without its secret. */
interface Key {
  readonly id: string
  readonly name: string
  readonly apiKey: string
  readonly createdAt: string
  readonly expiresAt: string | null
  readonly revokedAt: string | null
}
