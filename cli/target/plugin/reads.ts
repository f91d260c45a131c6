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
  const own = readsIn('x-api-key')
  const bearer = key === null ? own : readsIn('bearer')
  const seen = once(async () => {
    const inOwn = await see(own)
    return rejectionIn(inOwn) === null ? inOwn : see(bearer)
  })
  return {
    ...{ url, transport, timeoutMs, logins, capacity, lifeCycle, risk, keySource, isOwn, own, bearer },
    ...{ ...endpointOf(url), hasKey: key !== null, redact: shared.redact },
    /** What a run has to see of the plugin: both reads, in the header in which the key is accepted. */
    seen,
    status: async () => responseOf((await seen()).status),
    list: async () => responseOf((await seen()).list),
    /** GET /api/status with another key or none. */
    statusWith: status,
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

function responseOf(seen: HttpResponse | NoResponse): HttpResponse {
  if (seen instanceof NoResponse) throw seen
  return seen
}

/** The rejection of the key; null if there is none. If only one read is rejected, that operation may be faulty. */
export function rejectionIn({ status, list }: SeenPlugin): HttpResponse | null {
  const responses = [status, list].flatMap((one) => (one instanceof NoResponse ? [] : one))
  return responses.every((one) => isKeyRejected(one.status)) ? (responses[0] ?? null) : null
}
