import type { IncomingMessage } from 'node:http'
import { readUpTo } from '../../../server/read-up-to.ts'
import type { Denial } from '../../../server/refusal.ts'
import type { PlatformService } from '../service.ts'
import type { KeyHolder } from './authenticate.ts'
import type { Route } from './route.ts'

/** Reads the bytes of a body. Strangers' bodies are left unread. */
export async function readBody(
  request: IncomingMessage,
  { route: { operation }, caller }: { route: Route; caller: KeyHolder },
  { seams }: PlatformService,
): Promise<Uint8Array> {
  caller.admit(operation === 'create-account' ? 'body' : undefined)
  const read = await readUpTo(request, seams.bodyLimitBytes)
  if (read === undefined) return caller.refuse('body', seams.oversized() satisfies Denial)
  const bytes = Buffer.concat(read.chunks)
  return read.isWhole ? bytes : seams.brokenOff(bytes)
}
