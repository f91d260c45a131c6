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
  /** Known as soon as the body has ended or is too long. */
  isComplete: Promise<boolean>
}

/** A body can be read from the socket only once. Later readers get the stored chunks. */
const readings = new WeakMap<IncomingMessage, BodyReader>()

/** Undefined as soon as a body exceeds the limit. The rest is then discarded, so that the client can finish. */
export async function readUpTo(request: IncomingMessage, limitBytes: number): Promise<ReceivedBody | undefined> {
  const reading = startReading(request, limitBytes)
  const isComplete = await reading.isComplete
  const { chunks, lengthBytes } = reading
  return lengthBytes > Math.min(limitBytes, reading.limitBytes) ? undefined : { chunks, isComplete }
}

/** Stores a body up to the limit while it arrives, for later readers. */
export function startReading(request: IncomingMessage, limitBytes: number): BodyReader {
  const earlier = readings.get(request)
  if (earlier !== undefined) return earlier
  const reading: BodyReader = { chunks: [], lengthBytes: 0, limitBytes, isComplete: Promise.resolve(true) }
  readings.set(request, reading)
  if (hasArrived(request)) {
    // From Node.js 26 on, one read returns one packet.
    for (let bytes = request.read(); bytes !== null; bytes = request.read()) take(reading, bytes)
  } else {
    reading.isComplete = new Promise((resolve) => {
      request.on('data', (chunk: Uint8Array) => {
        take(reading, chunk)
        if (reading.lengthBytes > limitBytes) resolve(false)
      })
      request.on('end', () => resolve(true))
      request.on('error', () => resolve(false))
      request.on('close', () => resolve(false))
    })
  }
  return reading
}

function take(reading: BodyReader, chunk: Uint8Array): void {
  reading.lengthBytes += chunk.length
  if (reading.lengthBytes <= reading.limitBytes) reading.chunks.push(chunk)
  else reading.chunks = []
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
