import type { IncomingMessage } from 'node:http'
import type { HttpApi } from '../server/api.ts'
import { InvalidOptionError } from '../server/check-option.ts'
import { buildInstance } from '../server/instance.ts'
import type { ErrorResponse } from '../server/response.ts'
import { codeOf } from './coded-error-response.ts'
import { withPair } from './keys/key-ring.ts'
import { createReplayCache } from './keys/replays.ts'
import type { ResolvedPlatformOptions } from './options.ts'
import { handleRequest } from './pipeline.ts'
import { createRateLimiter, type RateLimitUsage } from './rate-limit.ts'
import type { PlatformService } from './service.ts'
import { encodeRecords, liveRecords, type Records, readRecords } from './store/records.ts'

/** One run of the platform, from a start to the next stop or crash. */
export type PlatformInstance = Awaited<ReturnType<typeof startPlatform>>

/** Loads keys and accounts. `changed` is called after each change to them. @throws UnreadablePlatformFileError, InvalidOptionError */
export async function startPlatform(options: ResolvedPlatformOptions, changed: () => void) {
  const { file, log } = options
  const { unlessKilled, serve } = buildInstance(options)
  const write = (records: Records) => unlessKilled(() => file.write(encodeRecords(records)))
  const records = liveRecords(await withConfiguredPair(await readRecords(file), options, write), changed)
  const { accounts, keys } = records.current()
  log({ level: 'info', event: 'records-loaded', accounts: accounts.length, keys: keys.length })
  const replays = createReplayCache()
  const rateLimiter = createRateLimiter(options.requestsPerMinute)
  const api = platformApi({ ...options, records, write, replays, rateLimiter })
  return {
    ...serve(api, records.mutex),
    records,
    write,
    /** Clears the used signatures and the request count. */
    clearUsage: () => {
      replays.clear()
      rateLimiter.reset()
    },
  }
}

/** Adds the configured key pair at the first start. */
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
  const added = withPair(records, { pair: keyPair, wanted: {}, hooks, now })
  await write(added)
  return added
}

function platformApi(service: PlatformService): HttpApi {
  const { hooks, rateLimiter, now, log } = service
  const usages = new WeakMap<IncomingMessage, RateLimitUsage>()
  return {
    ...hooks,
    respond: async (request) => {
      const usage = rateLimiter.use(now())
      usages.set(request, usage)
      if (usage.remaining < 0) throw hooks.tooManyRequests(usage)
      return handleRequest(request, service)
    },
    renderError: (errorResponse: ErrorResponse) => {
      const { status, message, headers } = errorResponse
      const { body, type } = hooks.errorBody({ status, code: codeOf(errorResponse), message })
      return { status, body, headers: { 'Content-Type': type, ...headers } }
    },
    finish: (response, request) => {
      const usage = usages.get(request)
      const headers = usage === undefined ? {} : hooks.everyHeader(usage)
      return hooks.finish({ ...response, headers: { ...response.headers, ...headers } }, request)
    },
    acceptsConnections: true,
    log,
  }
}
