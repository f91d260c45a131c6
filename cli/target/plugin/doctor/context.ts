import { createClient } from '../../../../suites/client/client.ts'
import { createRecorder } from '../../../../suites/client/recorder.ts'
import { addressOf } from '../../../../suites/client/socket.ts'
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
type KeyHeader = NonNullable<RequestOverrides['as']>

/** What an examination can read from the target. It cannot change the target. */
export type PluginDoctorContext = ReturnType<typeof createPluginDoctorContext>

/** `redact` removes secrets from the recorded texts. */
export function createPluginDoctorContext(options: PluginDoctorOptions, redact: (text: string) => string) {
  // Examinations must not see the key itself.
  const { key, keySource, ...shown } = options
  const { url, transport, timeoutMs } = shown
  const pace = createPace(Number.POSITIVE_INFINITY)
  const client = createClient({ baseUrl: url, transport, timeoutMs, pace, recorder: createRecorder(redact) })
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
    /** The option or variable that holds the key; null if no key was given. */
    keySource: key === null ? null : keySource,
    /** GET /api/status with the key in this header, sent once and cached. */
    statusIn: (header: KeyHeader) => inHeader[header](),
    /** The same in the accepted header; without a key if none was given. */
    status: async () => inHeader[await accepted()](),
    /** GET /api/rules with the key, sent once and cached. */
    list: once(async () => plugin.list(withKey(await accepted()))),
    /** GET /api/status with another key or none. */
    statusWith: (overrides: RequestOverrides) => plugin.status(overrides),
  }
}
