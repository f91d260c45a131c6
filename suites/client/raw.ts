import type { Socket } from 'node:net'
import { setTimeout as delay, setImmediate as immediate } from 'node:timers/promises'
import { TLSSocket } from 'node:tls'
import { createResponseReader, type ReceivedResponse } from '../../http/response-reader.ts'
import type { ClientOptions } from './client.ts'
import { openSocket } from './connect.ts'
import { isProxyStatus, ProxyFailed } from './proxied.ts'
import { beginExchange } from './recorder.ts'
import { CannotSend, type HttpResponse, longestBody, recordResponse } from './response.ts'
import { equalWaits, laterRequest, type Wait } from './wait.ts'

export interface RawRequest {
  /** Several pieces are sent one after the other, each after the response to the previous one. */
  readonly bytes: Buffer | readonly Buffer[]
  /** The number of responses to wait for; fewer arrive if the server closes the connection first. */
  readonly responses: number
  /** Half-close the connection after the last byte, like a client that gives up. A response is then optional. */
  readonly endAfter?: boolean
  /** Offsets at which the first bytes are split, so that each piece is a separate packet. */
  readonly splitAt?: readonly number[]
  /** The pause between these packets. Default: just long enough for each to arrive on its own. */
  readonly pauseMs?: number
  /** Read until the server closes the connection, whatever its responses say. */
  readonly untilClosed?: boolean
  /** Reset the connection after the last response, as a client that crashes does. TLS connections are only closed. */
  readonly reset?: boolean
  /** Runs while the connection is open and the request incomplete; then the connection is closed. */
  readonly meanwhile?: () => Promise<void>
}

export interface RawResult {
  readonly responses: readonly HttpResponse[]
  /** Why it ended: all responses arrived, the server closed the connection, a timeout, or `meanwhile` finished. */
  readonly end: 'answered' | 'closed' | 'timeout' | 'left'
  /** Whether the last response announced the end of the connection. */
  readonly saidClose: boolean
  /** Every byte received, if it was read until the connection was closed. */
  readonly bytes: Buffer
  /** For a timeout: such requests have hung before, while others got responses. */
  readonly isKnownHang?: boolean
}

/** The request lines in raw bytes. A line may directly follow the body of the previous request. */
export function requestLinesIn(text: string): readonly string[] {
  // A method begins where no letter of one precedes: a search from each letter of a long body would take minutes.
  return text.match(/(?<![\w!#$%&'*+.^`|~-])[\w!#$%&'*+.^`|~-]+ \S+ HTTP\/\S+/g) ?? []
}

/** Whether raw bytes contain only GET, HEAD and OPTIONS. Methods are case-sensitive (RFC 9110, 9.1). */
export function holdsOnlyReads(text: string): boolean {
  return [text, ...requestLinesIn(text)].every((start) => /^(GET|HEAD|OPTIONS) /.test(start))
}

/** Sends bytes that no HTTP library would send, and reads any response. */
export type RawClient = (request: RawRequest) => Promise<RawResult>

/** A raw client for one server. Throws only `CannotSend`, if a proxy rejects the tunnel that raw bytes need. */
export function createRawClient(options: ClientOptions): RawClient {
  return async (request) => {
    await options.pace()
    const body = Buffer.concat(piecesOf(request)).toString('latin1')
    const record = beginExchange(options.recorder, { method: 'RAW', url: options.baseUrl, headers: [], body })
    const { received, end, bytes, meanwhile, isKnownHang } = await converse(request, options)
    if (received.length === 0) record(null, end === 'timeout' ? 'it took too long' : 'the connection was closed')
    const responses = received.map((response) => recordResponse(response, record))
    await meanwhile
    const saidClose = received.at(-1)?.closes ?? false
    return { responses, end, saidClose, bytes, ...(isKnownHang && { isKnownHang }) }
  }
}

interface Conversation extends Pick<RawResult, 'end' | 'bytes'> {
  readonly received: readonly ReceivedResponse[]
  /** Settles together with the request's `meanwhile`. */
  readonly meanwhile: Promise<void>
  readonly isKnownHang: boolean
}

/** How long to wait for an optional response. It is short, since one check may send dozens of such requests. */
const optionalResponseMs = 3_000

function converse(request: RawRequest, options: ClientOptions): Promise<Conversation> {
  const { baseUrl, transport } = options
  const [first = Buffer.alloc(0), ...remaining] = piecesOf(request)
  return new Promise((resolve, reject) => {
    const received: ReceivedResponse[] = []
    const chunks: Buffer[] = []
    const finished = new AbortController()
    let socket: Socket | null = null
    let meanwhile = Promise.resolve()
    const finish = (end: RawResult['end']) => {
      if (finished.signal.aborted) return
      finished.abort()
      if (request.reset && !(socket instanceof TLSSocket)) socket?.resetAndDestroy()
      else socket?.destroy()
      resolve({ received, end, bytes: Buffer.concat(chunks), meanwhile, isKnownHang: waiting.stop(end) })
    }
    const waiting = waitForEach(request, options, () => finish('timeout'))
    const onResponse = (response: ReceivedResponse) => {
      // A client ignores what follows a response that closes (RFC 9112, 9.6).
      if (received.at(-1)?.closes && !request.untilClosed) return
      received.push(response)
      waiting.next(response.status)
      const isComplete = received.length === request.responses
      const next = remaining[received.length - 1]
      // After a response that closes, a client sends nothing more (RFC 9112, 9.6).
      if (isComplete || response.closes) {
        if (!request.untilClosed) finish(isComplete ? 'answered' : 'closed')
      } else if (next !== undefined) socket?.write(next)
    }
    const feed = createResponseReader(onResponse, { isHead: () => isHead(request, received.length), longestBody })
    const read = (chunk: Buffer) => {
      if (request.untilClosed) chunks.push(chunk)
      if (!feed(chunk) && !request.untilClosed) finish('closed')
    }
    const finishClosed = () => {
      feed(null)
      finish('closed')
    }
    const start = (open: Socket) => {
      socket = open
      if (finished.signal.aborted) return void open.destroy()
      open.on('data', read)
      open.on('error', finishClosed)
      open.on('close', finishClosed)
      void sendSplit(open, first, request).then(() => request.endAfter && open.end())
      if (request.meanwhile === undefined) return
      // Suspends the timeout, which would otherwise be shorter than that of a request inside `meanwhile`.
      waiting.hold()
      meanwhile = request.meanwhile().finally(() => finish('left'))
    }
    openSocket(baseUrl, transport, finished.signal).then(start, (error: unknown) => {
      if (!rejectsTunnel(error)) return finishClosed()
      waiting.stop('left')
      reject(new CannotSend(`raw bytes need a tunnel (CONNECT): ${error.message}`))
    })
  })
}

/** Whether the piece at this place starts with a HEAD request, whose response has no body. */
export function isHead(request: RawRequest, place: number): boolean {
  return piecesOf(request)[place]?.toString('latin1', 0, 5) === 'HEAD '
}

/** Calls `onTimeout` if the next response is late, or the end of the connection after the last one. */
function waitForEach(request: RawRequest, options: ClientOptions, onTimeout: () => void) {
  const { timeoutMs, waits = equalWaits(timeoutMs) } = options
  // The text of each request, for pieces and for requests that are sent together.
  const texts = piecesOf(request).flatMap((piece) => piece.toString('latin1').split(/(?<![A-Z])(?=[A-Z]+ \S+ HTTP\/)/))
  const longestMs = request.endAfter ? Math.min(timeoutMs, optionalResponseMs) : timeoutMs
  let timer: NodeJS.Timeout | undefined
  let place = 0
  const begin = (): Wait => {
    const wait = waits.forBytes(texts[place] ?? '', request.endAfter ?? false)
    place += 1
    if (place > 1) wait.note(laterRequest(place))
    clearTimeout(timer)
    // An incomplete request has no response to wait for.
    timer = setTimeout(onTimeout, request.meanwhile ? longestMs : Math.min(wait.limitMs(), longestMs))
    return wait
  }
  let wait = begin()
  return {
    next(status: number) {
      wait.ended(status)
      // A response without a request gives the server no more time.
      if (place <= request.responses) wait = begin()
    },
    hold: () => clearTimeout(timer),
    /** Returns whether it ended in a known hang. */
    stop(end: RawResult['end']): boolean {
      clearTimeout(timer)
      if (end === 'closed' && request.endAfter) wait.ended(null)
      if (end !== 'timeout' || request.meanwhile) return false
      const isKnown = wait.known()?.isSure ?? false
      wait.hung()
      return isKnown
    },
  }
}

/** The bytes of a request, one buffer for each piece. */
export function piecesOf({ bytes }: RawRequest): readonly Buffer[] {
  return Buffer.isBuffer(bytes) ? [bytes] : bytes
}

/** Long enough for a busy server to read a piece before the next one is sent. */
const betweenPiecesMs = 5

async function sendSplit(socket: Socket, bytes: Buffer, request: RawRequest): Promise<void> {
  const { splitAt = [], pauseMs = betweenPiecesMs } = request
  socket.setNoDelay(true)
  const ends = [...splitAt, bytes.length]
  for (const [at, end] of ends.entries()) {
    if (at > 0) {
      await delay(pauseMs)
      // Reads a response that has already arrived, since a write to a closed connection would discard it.
      await immediate()
    }
    if (!socket.writable) return
    socket.write(bytes.subarray(ends[at - 1] ?? 0, end))
  }
}

/** Not every proxy allows tunnels, and few allow them to every port. */
function rejectsTunnel(error: unknown): error is ProxyFailed {
  return error instanceof ProxyFailed && (error.status === 407 || !isProxyStatus(error.status))
}
