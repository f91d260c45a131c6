import { createClient } from '../../../suites/client/client.ts'
import { createPace } from '../../../suites/client/pace.ts'
import { createRecorder } from '../../../suites/client/recorder.ts'
import type { HttpResponse } from '../../../suites/client/response.ts'
import { createPlatform, type Platform } from '../../../suites/session/platform.ts'
import { createTimes } from '../../../suites/session/signing.ts'
import type { PlatformChoice } from '../../options/platform-options.ts'
import { once } from '../once.ts'

/** The target to examine, complete. */
export type PlatformDoctorOptions = Extract<PlatformChoice, { kind: 'url' }> & { readonly timeoutMs: number }

/** What an examination of a platform may look at. Nothing here can change it. */
export interface PlatformLook {
  readonly platform: Platform
  readonly hasSecret: boolean
  readonly listPaths: readonly string[]
  /** GET /v1/account, sent once and cached. */
  readonly account: () => Promise<HttpResponse>
}

/** Prepares the looks at a platform; `redact` takes the secrets out of what is kept of them. */
export function createPlatformLook(options: PlatformDoctorOptions, redact: (text: string) => string): PlatformLook {
  const { url, transport, timeoutMs, listPaths, secret } = options
  const pace = createPace(Number.POSITIVE_INFINITY)
  const client = createClient({ baseUrl: url, transport, timeoutMs, pace, recorder: createRecorder(redact) })
  const prefix = new URL(url).pathname.replace(/\/$/, '')
  const platform = createPlatform(client, { ...options, prefix, times: createTimes() })
  return { platform, hasSecret: secret !== null, listPaths, account: once(() => platform.account()) }
}
