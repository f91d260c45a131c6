import { createClient } from '../../../../suites/client/client.ts'
import { createRecorder } from '../../../../suites/client/recorder.ts'
import type { HttpResponse } from '../../../../suites/client/response.ts'
import { addressOf, type SocketAddress } from '../../../../suites/client/socket.ts'
import { createPace } from '../../../../suites/client/wait.ts'
import { createPlugin, type RequestOverrides } from '../../../../suites/session/plugin.ts'
import type { RunOptions, TargetChoice } from '../../../options/run-options.ts'
import { isKeyRejected } from '../../../transport/explain.ts'
import { once } from '../../examination.ts'

export interface PluginDoctorOptions
  extends Pick<RunOptions, 'timeoutMs' | 'logins' | 'capacity' | 'lifeCycle'>,
    Pick<Extract<TargetChoice, { kind: 'url' }>, 'url' | 'keySource' | 'transport'> {
  /** Null if no key was given. */
  readonly key: string | null
}

/** The headers that can carry the key. */
export type KeyHeader = NonNullable<RequestOverrides['as']>

/** What an examination can read from the target. It cannot change the target. */
export interface PluginDoctorContext extends SocketAddress, Omit<PluginDoctorOptions, 'key' | 'keySource'> {
  /** The option or variable that holds the key; null if no key was given. */
  readonly keySource: string | null
  /** GET /api/status with the key in this header, sent once and cached. */
  readonly statusIn: (header: KeyHeader) => Promise<HttpResponse>
  /** The same in the accepted header; without a key if none was given. */
  readonly status: () => Promise<HttpResponse>
  /** GET /api/rules with the key, sent once and cached. */
  readonly list: () => Promise<HttpResponse>
  /** GET /api/status with another key or none. */
  readonly statusWith: (overrides: RequestOverrides) => Promise<HttpResponse>
}

/** `redact` removes secrets from the recorded texts. */
export function createPluginDoctorContext(
  options: PluginDoctorOptions,
  redact: (text: string) => string,
): PluginDoctorContext {
  // Examinations must not see the key itself.
  const { key, keySource, ...shown } = options
  const { url, transport, timeoutMs } = shown
  const recorder = createRecorder(redact)
  const client = createClient({
    baseUrl: url,
    transport,
    timeoutMs,
    pace: createPace(Number.POSITIVE_INFINITY),
    recorder,
  })
  const plugin = createPlugin(client, key ?? '')
  const withKey = (as: KeyHeader): RequestOverrides => (key === null ? { key } : { as })
  const inHeader = {
    'x-api-key': once(() => plugin.status(withKey('x-api-key'))),
    bearer: once(() => plugin.status(withKey('bearer'))),
  }
  const accepted = async (): Promise<KeyHeader> => {
    if (key === null || !isKeyRejected((await inHeader['x-api-key']()).status)) return 'x-api-key'
    return isKeyRejected((await inHeader.bearer()).status) ? 'x-api-key' : 'bearer'
  }
  return {
    ...shown,
    ...addressOf(url),
    keySource: key === null ? null : keySource,
    statusIn: (header) => inHeader[header](),
    status: async () => inHeader[await accepted()](),
    list: once(async () => plugin.list(withKey(await accepted()))),
    statusWith: (overrides) => plugin.status(overrides),
  }
}
