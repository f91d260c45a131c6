import { createApp } from '../server/app.ts'
import { door } from '../server/instance-listener.ts'
import { InvalidOptionError } from '../server/invalid-option-error.ts'
import type { Life as ServerLife } from '../server/life-cycle.ts'
import { listen } from '../server/listen.ts'
import { platformApi } from './api.ts'
import { withPair } from './keys/key-ring.ts'
import { rememberingReplays } from './keys/replays.ts'
import type { Resolved } from './options.ts'
import { allowanceOf } from './rate-limit.ts'
import { decodeRecords, encodeRecords } from './store/file-format.ts'
import { type LiveRecords, liveRecords } from './store/live-records.ts'
import type { Records } from './store/records.ts'

/** One life of the platform, from a start to a stop or a crash. */
export interface Life extends ServerLife {
  readonly records: LiveRecords
  /** Keeps the records in place of all earlier ones. */
  readonly write: (records: Records) => Promise<void>
  /** Forgets which signatures were used, and how many requests have come. */
  readonly forget: () => void
}

/** No timestamp is accepted for longer than this. */
const rememberedMs = 24 * 60 * 60 * 1000

/** Loads keys and accounts; `changed` is called whenever they become others. @throws UnreadablePlatformFileError, InvalidOptionError */
export async function beginLife(given: Resolved, changed: () => void): Promise<Life> {
  const { file, host, requestTimeoutMs, log } = given
  const { port, isDead, open, close, slam } = door()
  const write = async (records: Records) => {
    if (isDead()) throw new Error('The platform has died.')
    await file.write(encodeRecords(records))
  }
  const records = liveRecords(await withGivenPair(decodeRecords(await file.read()), given, write), changed)
  const { accounts, keys } = records.present()
  log({ level: 'info', event: 'records-loaded', accounts: accounts.length, keys: keys.length })
  const replays = rememberingReplays(rememberedMs)
  const allowance = allowanceOf(given.requestsPerMinute)
  const api = platformApi({ ...given, records, write, replays, allowance })
  const handle = createApp(api)
  return {
    records,
    write,
    forget: () => {
      replays.forget()
      allowance.forget()
    },
    handle,
    port,
    listen: (wanted) => open(listen(handle, api, { host, port: wanted, requestTimeoutMs })),
    end: async () => {
      await close()
      await records.turns.settled()
    },
    die: async () => {
      await slam()
      await records.turns.settled()
    },
  }
}

/** A pair of the user's own becomes a key like any other, the first time it is seen. */
async function withGivenPair(
  records: Records,
  { keyPair, hooks, now }: Resolved,
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
