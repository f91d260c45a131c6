import { createClient } from '../../suites/client/client.ts'
import { createPace } from '../../suites/client/pace.ts'
import { createRecorder } from '../../suites/client/recorder.ts'
import { addressOf } from '../../suites/client/socket.ts'
import type { Transport } from '../../suites/client/transport.ts'
import type { LoginRange } from '../../suites/session/logins.ts'
import { createPlugin } from '../../suites/session/plugin.ts'
import type { LifeCycle } from '../options/life-cycle-options.ts'
import type { DoctorContext } from './examination.ts'

/** Where to look, complete. */
export interface DoctorOptions {
  /** Base URL without `/api` and without a slash at the end. */
  readonly url: string
  readonly key: string
  readonly transport: Transport
  readonly timeoutMs: number
  readonly logins: LoginRange
  readonly capacity: number | null
  /** Who would drive the life cycle; null for nobody. */
  readonly lifeCycle: LifeCycle | null
}

/** Prepares the looks at a target; `redact` takes the secrets out of what is kept of them. */
export function createDoctorContext(options: DoctorOptions, redact: (text: string) => string): DoctorContext {
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

function once<T>(look: () => Promise<T>): () => Promise<T> {
  let seen: Promise<T> | null = null
  return () => {
    seen ??= look()
    return seen
  }
}
