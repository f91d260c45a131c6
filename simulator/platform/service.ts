import type { BlockList } from 'node:net'
import type { LogEntry } from '../server/log.ts'
import type { PlatformHooks } from './hooks/hooks.ts'
import type { ReplayCache } from './keys/replays.ts'
import type { PlatformAccount } from './model/platform-account.ts'
import type { RateLimiter } from './rate-limit.ts'
import type { LiveRecords } from './store/live-records.ts'
import type { Records } from './store/records.ts'

/** Everything that the stages need to serve requests. */
export interface PlatformService {
  readonly hooks: PlatformHooks
  readonly account: PlatformAccount
  readonly records: LiveRecords
  /** The allowed addresses; undefined allows all. */
  readonly allowedIps: BlockList | undefined
  readonly replays: ReplayCache
  readonly rateLimiter: RateLimiter
  /** How far the timestamp of a signed request may be from the clock. */
  readonly signatureWindowMs: number
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Replaces the stored records. */
  readonly write: (records: Records) => Promise<void>
  readonly log: (entry: LogEntry) => void
}
