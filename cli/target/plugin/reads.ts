import { createClient } from '../../../suites/client/client.ts'
import { endpointOf } from '../../../suites/client/connect.ts'
import { type HttpResponse, NoResponse, orNoResponse } from '../../../suites/client/response.ts'
import { NoHandshake } from '../../../suites/client/wait.ts'
import { createPlugin } from '../../../suites/session/plugin.ts'
import type { Target } from '../../../suites/targets/target.ts'
import { isKeyRejected } from '../../transport/explain.ts'
import type { ReadOptions } from '../api.ts'
import { once } from '../examination.ts'

/** `key` is null if none was given, and `keySource` if the kit chose the key. `isOwn` means that the kit started it. */
export interface PluginToRead extends Pick<Target, 'url' | 'transport'> {
  readonly key: string | null
  readonly keySource: string | null
  readonly isOwn: boolean
}

/** What the examinations read from a plugin, each once. They cannot change it, and do not see the key. */
export type PluginReads = ReturnType<typeof createReads>

export function createReads(plugin: PluginToRead, terms: ReadOptions) {
  const { url, transport, key, keySource, isOwn } = plugin
  const { options, shared } = terms
  const { timeoutMs, logins, capacity, lifeCycle, risk } = options
  const { status, list } = createPlugin(createClient({ ...shared, baseUrl: url, transport, timeoutMs }), key ?? '')
  const readsIn = (as: Reads['as']): Reads => {
    const overrides = key === null ? { key } : { as }
    return { as, status: once(() => status(overrides)), list: once(() => list(overrides)) }
  }
  const [own, bearer] = [readsIn('x-api-key'), readsIn('bearer')]
  const accepted = once(async () => {
    if (key === null || !isKeyRejected((await own.status()).status)) return own
    return isKeyRejected((await bearer.status()).status) ? own : bearer
  })
  return {
    ...{ url, transport, timeoutMs, logins, capacity, lifeCycle, risk, keySource, isOwn, own, bearer },
    ...{ ...endpointOf(url), hasKey: key !== null, redact: shared.redact },
    /** GET /api/status, in the header in which it is accepted. */
    status: async () => (await accepted()).status(),
    list: async () => (await accepted()).list(),
    /** GET /api/status with another key or none. */
    statusWith: status,
    /** What a run has to see of the plugin: both reads. */
    seen: once(async () => {
      const inOwn = await see(own)
      return isRejected(inOwn) ? see(bearer) : inOwn
    }),
    /** The same plugin at another address. */
    at: (other: string) => createReads({ ...plugin, url: other }, terms),
  }
}

export interface Reads extends Readonly<Record<'status' | 'list', () => Promise<HttpResponse>>> {
  /** The header that carries the key. */
  readonly as: 'x-api-key' | 'bearer'
}

export type SeenPlugin = Awaited<ReturnType<typeof see>>

/** The responses to the two reads, or why there are none. */
async function see({ as, ...read }: Reads) {
  const status: HttpResponse | NoResponse = await orNoResponse(read.status())
  // After a failed TLS handshake there is no need to try the list.
  const isOver = status instanceof NoResponse && status.cause instanceof NoHandshake
  return { as, status, list: isOver ? status : await orNoResponse(read.list()) }
}

/** If only one of the reads is rejected, that operation may be faulty. */
export function isRejected({ status, list }: SeenPlugin): boolean {
  const states = [status, list].flatMap((one) => (one instanceof NoResponse ? [] : one.status))
  return states.length > 0 && states.every(isKeyRejected)
}
