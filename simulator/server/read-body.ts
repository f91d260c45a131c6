import type { IncomingMessage } from 'node:http'
import type { Caller } from './caller.ts'
import type { Rejection } from './error-response.ts'
import { readUpTo } from './request-body.ts'

interface ReadBodyHooks {
  readonly bodyLimitBytes: number
  readonly oversized: () => Rejection
  /** The body, from the packets in which it arrived. */
  readonly joinBody: (packets: readonly Uint8Array[]) => Uint8Array
  /** The bytes to use of a body that was cut off. */
  readonly brokenOff: (bytes: Uint8Array) => Uint8Array
}

/** The bytes of the body of a request that may be served. */
export async function readBody(request: IncomingMessage, caller: Caller, hooks: ReadBodyHooks): Promise<Uint8Array> {
  const read = await readUpTo(request, hooks.bodyLimitBytes)
  if (read === undefined) return caller.reject('body', hooks.oversized())
  const bytes = hooks.joinBody(read.chunks)
  return read.isComplete ? bytes : hooks.brokenOff(bytes)
}
