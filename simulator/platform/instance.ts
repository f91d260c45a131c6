import { createApp } from '../server/app.ts'
import { createInstanceListener } from '../server/instance-listener.ts'
import { InvalidOptionError } from '../server/invalid-option-error.ts'
import type { ServerInstance as ServerLife } from '../server/life-cycle.ts'
import { listen } from '../server/listen.ts'
import { platformApi } from './api.ts'
import { withPair } from './keys/key-ring.ts'
import { createReplayCache } from './keys/replays.ts'
import type { ResolvedPlatformOptions } from './options.ts'
import { createRateLimiter } from './rate-limit.ts'
import { decodeRecords, encodeRecords } from './store/file-format.ts'
import { type LiveRecords, liveRecords } from './store/live-records.ts'
import type { Records } from './store/records.ts'

/** One life of the platform, from a start to a stop or a crash. */
export interface PlatformInstance extends ServerLife {
  readonly records: LiveRecords
  /** Keeps the records in place of all earlier ones. */
  readonly write: (records: Records) => Promise<void>
  /** Forgets which signatures were used, and how many requests have come. */
  readonly clearUsage: () => void
}

/** No timestamp is accepted for longer than this. */
const replayRetentionMs = 24 * 60 * 60 * 1000

/** Loads keys and accounts; `changed` is called whenever they become others. @throws UnreadablePlatformFileError, InvalidOptionError */
export async function startPlatform(options: ResolvedPlatformOptions, changed: () => void): Promise<PlatformInstance> {
  const { file, host, requestTimeoutMs, log } = options
  const { port, isDestroyed, open, close, destroy } = createInstanceListener()
  const write = async (records: Records) => {
    if (isDestroyed()) throw new Error('The platform has died.')
    await file.write(encodeRecords(records))
  }
  const records = liveRecords(await withConfiguredPair(decodeRecords(await file.read()), options, write), changed)
  const { accounts, keys } = records.current()
  log({ level: 'info', event: 'records-loaded', accounts: accounts.length, keys: keys.length })
  const replays = createReplayCache(replayRetentionMs)
  const rateLimiter = createRateLimiter(options.requestsPerMinute)
  const api = platformApi({ ...options, records, write, replays, rateLimiter })
  const handle = createApp(api)
  return {
    records,
    write,
    clearUsage: () => {
      replays.clear()
      rateLimiter.reset()
    },
    handle,
    port,
    listen: (wanted) => open(listen(handle, api, { host, port: wanted, requestTimeoutMs })),
    close: async () => {
      await close()
      await records.mutex.settled()
    },
    kill: async () => {
      await destroy()
      await records.mutex.settled()
    },
  }
}

/** A pair of the user's own becomes a key like any other, the first time it is seen. */
async function withConfiguredPair(
  records: Records,
  { keyPair, hooks, now }: ResolvedPlatformOptions,
  write: (records: Records) => Promise<void>,
): Promise<Records> {
  if (keyPair === undefined) return records
  const secretHash = hooks.hashSecret(keyPair.apiSecret)
  const known = records.keys.find(({ apiKey }) => apiKey === keyPair.apiKey)
  if (known !== undefined) {
    if (known.secretHash === secretHash) return records
    throw new InvalidOptionError('The API secret', 'the one with which this API key was first used')
  }
  const added = withPair(records, { pair: keyPair, wanted: {}, hashSecret: hooks.hashSecret, now })
  await write(added)
  return added
}
