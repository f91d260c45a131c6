import type { IncomingMessage } from 'node:http'
import type { ApiHooks } from './api.ts'
import type { Members } from './json.ts'
import type { Caller, ReceivedRequest } from './receive.ts'
import { ErrorResponse } from './response.ts'

export interface ReceivedBody {
  readonly chunks: readonly Uint8Array[]
  /** False if the connection ended before the body did. */
  readonly isComplete: boolean
}

interface BodyReader {
  chunks: Uint8Array[]
  lengthBytes: number
  /** The limit of the first reader. A longer body is discarded. */
  readonly limitBytes: number
  /** Undefined while more may arrive. */
  isComplete: boolean | undefined
  /** Called when more has arrived, or the body has ended. */
  readonly listeners: Set<() => void>
}

/** A body can be read from the socket only once. Later readers get the stored chunks. */
const readings = new WeakMap<IncomingMessage, BodyReader>()

/** Undefined as soon as a body exceeds the limit. The rest is then discarded, so that the client can finish. */
export async function readUpTo(request: IncomingMessage, limitBytes: number): Promise<ReceivedBody | undefined> {
  const reading = startReading(request, limitBytes)
  const isTooLong = () => reading.lengthBytes > Math.min(limitBytes, reading.limitBytes)
  while (reading.isComplete === undefined && !isTooLong()) {
    await new Promise<void>((resolve) => reading.listeners.add(resolve))
  }
  const { chunks, isComplete } = reading
  return isTooLong() || isComplete === undefined ? undefined : { chunks, isComplete }
}

/** Stores a body up to the limit while it arrives, for later readers. */
export function startReading(request: IncomingMessage, limitBytes: number): BodyReader {
  const earlier = readings.get(request)
  if (earlier !== undefined) return earlier
  const reading = { chunks: [], lengthBytes: 0, limitBytes, isComplete: undefined, listeners: new Set<() => void>() }
  readings.set(request, reading)
  if (hasArrived(request)) {
    const bytes: Uint8Array | null = request.read()
    if (bytes !== null) take(reading, bytes)
    end(reading, true)
  } else {
    request.on('data', (chunk: Uint8Array) => take(reading, chunk))
    request.on('end', () => end(reading, true))
    request.on('error', () => end(reading, false))
    request.on('close', () => end(reading, false))
  }
  return reading
}

function take(reading: BodyReader, chunk: Uint8Array): void {
  reading.lengthBytes += chunk.length
  if (reading.lengthBytes <= reading.limitBytes) reading.chunks.push(chunk)
  else reading.chunks = []
  notify(reading)
}

function end(reading: BodyReader, isComplete: boolean): void {
  reading.isComplete ??= isComplete
  notify(reading)
}

function notify({ listeners }: BodyReader): void {
  for (const listener of listeners) listener()
  listeners.clear()
}

/** Whether the whole body waits to be read. Most bodies arrive with their head, and waiting takes longer than reading. */
function hasArrived({ complete, destroyed, headers }: IncomingMessage): boolean {
  return complete && !destroyed && headers['transfer-encoding'] === undefined
}

/** Does not wait for the rest of a body, which the client may never send. Undefined if not read, or too long. */
export function bodyReadSoFar(request: IncomingMessage): Promise<ReceivedBody | undefined> | undefined {
  const reading = readings.get(request)
  if (reading === undefined) return undefined
  // Bytes that have arrived may still be in the stream's buffer.
  if (request.complete) return readUpTo(request, reading.limitBytes)
  const { chunks, lengthBytes, limitBytes } = reading
  return Promise.resolve(lengthBytes > limitBytes ? undefined : { chunks, isComplete: false })
}

type ReadBodyHooks = Pick<ApiHooks<string, string>, 'bodyLimitBytes' | 'oversized' | 'joinBody' | 'partialBody'>

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

/** A request with its body. */
export interface CompleteRequest {
  readonly received: ReceivedRequest
  readonly caller: Caller
  readonly body: Uint8Array
}

/** Reads a value from the members of a JSON body. Errors may be hidden from the caller. */
export function readMembers<Value>(
  { received, caller, body }: CompleteRequest,
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
