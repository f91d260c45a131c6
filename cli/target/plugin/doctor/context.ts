import { createClient } from '../../../../suites/client/client.ts'
import { addressOf } from '../../../../suites/client/socket.ts'
import { createPlugin, type RequestOverrides } from '../../../../suites/session/plugin.ts'
import type { TargetChoice } from '../../../options/run-options.ts'
import { isKeyRejected } from '../../../transport/explain.ts'
import type { ExaminationOptions } from '../../api.ts'
import { once } from '../../examination.ts'

export type RunningPlugin = Extract<TargetChoice, { kind: 'url' }>

type KeyHeader = NonNullable<RequestOverrides['as']>

/** What an examination can read from the target. It cannot change the target. */
export type PluginDoctorContext = ReturnType<typeof createPluginDoctorContext>

export function createPluginDoctorContext(chosen: RunningPlugin, { options, shared, hasKey }: ExaminationOptions) {
  const { url, transport, keySource } = chosen
  const { timeoutMs, logins, capacity, lifeCycle } = options
  const key = hasKey ? chosen.key : null
  const plugin = createPlugin(createClient({ ...shared, baseUrl: url, transport, timeoutMs }), chosen.key)
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
    // Examinations must not see the key itself.
    ...{ url, transport, timeoutMs, logins, capacity, lifeCycle },
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
