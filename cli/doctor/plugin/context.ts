import { createClient } from '../../../suites/client/client.ts'
import { createPace } from '../../../suites/client/pace.ts'
import { createRecorder } from '../../../suites/client/recorder.ts'
import type { HttpResponse } from '../../../suites/client/response.ts'
import { addressOf } from '../../../suites/client/socket.ts'
import type { Transport } from '../../../suites/client/transport.ts'
import type { LoginRange } from '../../../suites/session/logins.ts'
import { createPlugin, type Variation } from '../../../suites/session/plugin.ts'
import type { LifeCycle } from '../../options/life-cycle-options.ts'
import { once } from '../once.ts'

/** The target to examine, complete. */
export interface PluginDoctorOptions {
  /** Base URL without `/api` and without a slash at the end. */
  readonly url: string
  readonly key: string
  readonly transport: Transport
  readonly timeoutMs: number
  readonly logins: LoginRange
  readonly capacity: number | null
  /** Who would drive the life cycle; null for no driver. */
  readonly lifeCycle: LifeCycle | null
}

/** What an examination may look at. Nothing here can change the target. */
export interface PluginLook {
  readonly url: string
  /** Name or address of the target, an IPv6 address without its brackets. */
  readonly host: string
  readonly port: number
  readonly transport: Transport
  readonly timeoutMs: number
  readonly logins: LoginRange
  /** The stated capacity, null where it is not known. */
  readonly capacity: number | null
  /** Who would drive the life cycle; null for no driver. */
  readonly lifeCycle: LifeCycle | null
  /** GET /api/status with the key, sent once and cached. */
  readonly status: () => Promise<HttpResponse>
  /** GET /api/rules with the key, sent once and cached. */
  readonly list: () => Promise<HttpResponse>
  /** GET /api/status with another key or none. */
  readonly statusWith: (variation: Variation) => Promise<HttpResponse>
}

/** Prepares the looks at a target; `redact` takes the secrets out of what is kept of them. */
export function createPluginLook(options: PluginDoctorOptions, redact: (text: string) => string): PluginLook {
  const { url, key, transport, timeoutMs, logins, capacity, lifeCycle } = options
  const recorder = createRecorder(redact)
  const client = createClient({
    baseUrl: url,
    transport,
    timeoutMs,
    pace: createPace(Number.POSITIVE_INFINITY),
    recorder,
  })
  const plugin = createPlugin(client, key)
  return {
    url,
    ...addressOf(url),
    transport,
    timeoutMs,
    logins,
    capacity,
    lifeCycle,
    status: once(() => plugin.status()),
    list: once(() => plugin.list()),
    statusWith: (variation) => plugin.status(variation),
  }
}
