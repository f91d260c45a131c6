import { NoResponse } from '../../../suites/client/response.ts'
import type { PlatformContext } from '../../../suites/runner/platform/context.ts'
import { UnreachableError } from '../../command-error.ts'
import { remedyFor } from '../../transport/explain.ts'

/**
 * Looks at a platform before anything is judged.
 *
 * @throws {UnreachableError} when nothing answers, or the key is refused
 */
export async function preflightPlatform({ operations, settings: { target } }: PlatformContext): Promise<void> {
  const { status } = await operations.account().catch((error: unknown) => {
    if (!(error instanceof NoResponse)) throw error
    throw new UnreachableError(
      `${target.url} cannot be reached: ${error.message}.`,
      remedyFor(error.cause, target.transport, 'Check the address of --platform-url; give it with or without /v1.'),
      { cause: error },
    )
  })
  if (status !== 401 && status !== 403) return
  throw new UnreachableError(
    `${target.url} refuses the key (status ${status}).`,
    target.secret === null
      ? 'Compare TCK_PLATFORM_KEY with the dashboard; a platform that wants signatures needs TCK_PLATFORM_SECRET too.'
      : 'Compare TCK_PLATFORM_KEY and TCK_PLATFORM_SECRET with the dashboard, --signature-vendor and the clock here.',
  )
}
