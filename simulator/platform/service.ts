import type { ReplayCache } from './keys/replays.ts'
import type { ResolvedPlatformOptions } from './options.ts'
import type { RateLimiter } from './rate-limit.ts'
import type { LiveRecords, Records } from './store/records.ts'

/** Everything that the stages need to serve requests. */
export interface PlatformService extends ResolvedPlatformOptions {
  readonly records: LiveRecords
  readonly replays: ReplayCache
  readonly rateLimiter: RateLimiter
  /** Replaces the stored records. */
  readonly write: (records: Records) => Promise<void>
}
