import type { IncomingMessage } from 'node:http'
import type { ApiHooks } from './api-hooks.ts'
import type { Caller } from './caller.ts'
import { ErrorResponse } from './error-response.ts'
import type { Members } from './json.ts'
import type { ReceivedRequest } from './receive.ts'
import { readUpTo } from './request-body.ts'

type ReadBodyHooks = Pick<ApiHooks<string, string>, 'bodyLimitBytes' | 'oversized' | 'joinBody' | 'partialBody'>

/** Reads the body of a request that may be served. */
export async function readBody(request: IncomingMessage, caller: Caller, hooks: ReadBodyHooks): Promise<Uint8Array> {
  const read = await readUpTo(request, hooks.bodyLimitBytes)
  if (read === undefined) return caller.reject('body', hooks.oversized())
  const bytes = hooks.joinBody(read.chunks)
  return read.isComplete ? bytes : hooks.partialBody(bytes)
}

interface ReadMembersHooks {
  readonly judgeContentType: (contentType: string | undefined) => ErrorResponse | undefined
  readonly decodeText: (bytes: Uint8Array) => string
  readonly stripByteOrderMark: (text: string) => string
  readonly parseJson: (text: string) => unknown
  readonly membersOf: (value: unknown) => Members
  readonly judgeMemberNames: (names: readonly string[]) => ErrorResponse | undefined
}

/** Reads a value from the members of a JSON body. Errors may be hidden from the caller. */
export function readMembers<Value>(
  {
    received,
    caller,
    body,
  }: { readonly received: ReceivedRequest; readonly caller: Caller; readonly body: Uint8Array },
  hooks: ReadMembersHooks,
  read: (members: Members) => Value,
): Value {
  try {
    throwIfAny(hooks.judgeContentType(received.headers['content-type']))
    const members = hooks.membersOf(hooks.parseJson(hooks.stripByteOrderMark(hooks.decodeText(body))))
    throwIfAny(hooks.judgeMemberNames(Object.keys(members)))
    return read(members)
  } catch (error) {
    if (error instanceof ErrorResponse) caller.reject('body', error)
    throw error
  }
}

export function throwIfAny(errorResponse: ErrorResponse | undefined): void {
  if (errorResponse !== undefined) throw errorResponse
}
