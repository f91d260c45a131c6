import { createClient } from '../../../suites/client/client.ts'
import { NoResponse } from '../../../suites/client/response.ts'
import type { PlatformSettings } from '../../../suites/runner/platform/context.ts'
import type { Shared } from '../../../suites/runner/shared.ts'
import { createPlatform } from '../../../suites/session/platform.ts'
import { createTimes } from '../../../suites/session/signing.ts'
import { UnreachableError } from '../../command-error.ts'
import { remedyFor } from '../../transport/explain.ts'

/**
 * Looks at a platform before anything is judged. Sends only GET.
 *
 * @throws {UnreachableError} when nothing responds, or the key is rejected
 */
export async function inspectPlatform({ target, timeoutMs }: PlatformSettings, shared: Shared): Promise<void> {
  const { url, transport } = target
  const client = createClient({ ...shared, baseUrl: url, transport, timeoutMs })
  const prefix = new URL(url).pathname.replace(/\/$/, '')
  const platform = createPlatform(client, { ...target, prefix, times: createTimes() })
  const { status } = await platform.account().catch((error: unknown) => {
    if (!(error instanceof NoResponse)) throw error
    throw new UnreachableError(
      `${target.url} cannot be reached: ${error.message}.`,
      remedyFor(error.cause, target.transport, 'Check the address in `--platform-url`.'),
      { cause: error },
    )
  })
  if (status !== 401 && status !== 403) return
  throw new UnreachableError(
    `${target.url} rejects the key (status ${status}).`,
    target.secret === null
      ? 'Compare `TCK_PLATFORM_KEY` with the dashboard. If requests must be signed, set `TCK_PLATFORM_SECRET`.'
      : 'Compare `TCK_PLATFORM_KEY` and `TCK_PLATFORM_SECRET` with the dashboard, and check `--signature-vendor` and the local clock.',
  )
}
