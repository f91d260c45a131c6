import type { KeyRecord } from '../keys/key-pair.ts'
import type { TradingAccount } from '../model/trading-account.ts'

/** The stored data of the platform. Immutable. */
export interface Records {
  readonly keys: readonly KeyRecord[]
  readonly accounts: readonly TradingAccount[]
}

export const noRecords: Records = { keys: [], accounts: [] }
