import type { Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { HTTPParser } from 'http-parser-js'
import type { Pace } from './pace.ts'
import { isOfProxy, ProxyFailed } from './proxied.ts'
import type { Recorder } from './recorder.ts'
import { CannotSend, type HttpResponse, responseOf, unusualReason } from './response.ts'
import { openSocket } from './socket.ts'
import type { Transport } from './transport.ts'

export interface RawOptions {
  readonly baseUrl: string
  readonly transport: Transport
  readonly timeoutMs: number
  readonly pace: Pace
  readonly recorder: Recorder
}

export interface RawRequest {
  /** Several are sent one after the other, each when the one before it is answered. */
  readonly bytes: Buffer | readonly Buffer[]
  /** How many answers to wait for; fewer if the server closes the connection first. */
  readonly answers: number
  /** End our side of the connection after the last byte, as a client does that breaks off. */
  readonly endAfter?: boolean
  /** Places at which the first bytes are torn, so that each piece travels by itself. */
  readonly tornAt?: readonly number[]
  /** What is done while the connection stands and the request on it is not finished; then the connection is closed. */
  readonly meanwhile?: () => Promise<void>
}

export interface RawResult {
  readonly answers: readonly HttpResponse[]
  /** How it ended: all answers came, the server closed the connection, time ran out, or `meanwhile` was over. */
  readonly end: 'answered' | 'closed' | 'timeout' | 'left'
}

/** Sends bytes that no well-behaved HTTP library would send, and reads whatever comes back. */
export type RawClient = (request: RawRequest) => Promise<RawResult>

interface Part {
  readonly status: number
  readonly reason: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Buffer
}

/**
 * A raw client for one server; it never throws for what the server does. It needs a connection of
 * its own to the server: throws `CannotSend` if a proxy allows none.
 */
export function createRawClient(options: RawOptions): RawClient {
  return async (request) => {
    await options.pace()
    let during = Promise.resolve()
    const result = await new Promise<RawResult>((resolve, reject) => {
      const startedAt = new Date().toISOString()
      const start = performance.now()
      const parts: Part[] = []
      const all: readonly Buffer[] = Buffer.isBuffer(request.bytes) ? [request.bytes] : request.bytes
      const [first = Buffer.alloc(0), ...following] = all
      const giveUp = new AbortController()
      let socket: Socket | null = null
      let finished = false
      const finish = (end: RawResult['end']) => {
        if (finished) return
        finished = true
        clearTimeout(timer)
        giveUp.abort()
        socket?.destroy()
        if (parts.length === 0) record(null, end === 'timeout' ? 'it took too long' : 'the connection was closed')
        resolve({ answers: parts.map((part) => toAnswer(part)), end })
      }
      const timer = setTimeout(() => finish('timeout'), options.timeoutMs)
      const record = (part: Part | null, failure: string | null) =>
        options.recorder.record({
          startedAt,
          durationMs: performance.now() - start,
          request: {
            method: 'RAW',
            url: options.baseUrl,
            headers: [],
            body: Buffer.concat(all).toString('latin1'),
          },
          response: part && {
            status: part.status,
            ...unusualReason(part.status, part.reason),
            headers: part.headers,
            body: part.body.toString('utf8'),
          },
          failure,
        })
      const toAnswer = (part: Part) => responseOf(part.status, joinHeaders(part.headers), part.body, record(part, null))
      const feed = createResponseReader((part) => {
        parts.push(part)
        const next = following[parts.length - 1]
        if (parts.length === request.answers) finish('answered')
        else if (next !== undefined) socket?.write(next)
      })
      const finishClosed = () => {
        feed(null)
        finish('closed')
      }
      const converse = (open: Socket) => {
        socket = open
        if (finished) return void open.destroy()
        open.on('data', (chunk) => feed(chunk) || finish('closed'))
        open.on('error', finishClosed)
        open.on('close', finishClosed)
        void sendTorn(open, first, request.tornAt ?? []).then(() => request.endAfter && open.end())
        if (request.meanwhile) during = request.meanwhile().finally(() => finish('left'))
      }
      openSocket(options.baseUrl, options.transport, giveUp.signal).then(converse, (error: unknown) => {
        if (!refusesTunnel(error)) return finishClosed()
        clearTimeout(timer)
        reject(new CannotSend(`it needs a connection of its own to the target, and ${error.message} to CONNECT`))
      })
    })
    await during
    return result
  }
}

/** Long enough for a piece to arrive before the next one leaves. */
const betweenPiecesMs = 1

async function sendTorn(socket: Socket, bytes: Buffer, tornAt: readonly number[]): Promise<void> {
  socket.setNoDelay(true)
  const ends = [...tornAt, bytes.length]
  for (const [at, end] of ends.entries()) {
    if (at > 0) await delay(betweenPiecesMs)
    if (!socket.writable) return
    socket.write(bytes.subarray(ends[at - 1] ?? 0, end))
  }
}

/** Not every proxy digs tunnels, and few to every port. */
function refusesTunnel(error: unknown): error is ProxyFailed {
  return error instanceof ProxyFailed && (error.status === 407 || !isOfProxy(error.status))
}

/**
 * Calls back for each complete response; the reader returns false where the bytes are no HTTP. Null
 * stands for the end of the connection, which ends an answer without a length.
 */
function createResponseReader(onPart: (part: Part) => void): (chunk: Buffer | null) => boolean {
  const parser = new HTTPParser(HTTPParser.RESPONSE)
  let head: { status: number; reason: string; headers: [string, string][] } = { status: 0, reason: '', headers: [] }
  let chunks: Buffer[] = []
  parser[HTTPParser.kOnHeadersComplete] = (info) => {
    head = { status: info.statusCode, reason: info.statusMessage, headers: pairs(info.headers) }
    chunks = []
  }
  parser[HTTPParser.kOnBody] = (chunk, offset, length) => {
    chunks.push(chunk.subarray(offset, offset + length))
  }
  parser[HTTPParser.kOnMessageComplete] = () => {
    // 1xx answers are only announcements; the answer itself follows.
    if (head.status >= 200) onPart({ ...head, body: Buffer.concat(chunks) })
  }
  return (chunk) => !((chunk === null ? parser.finish() : parser.execute(chunk)) instanceof Error)
}

function pairs(flat: readonly string[]): [string, string][] {
  const result: [string, string][] = []
  for (let i = 0; i + 1 < flat.length; i += 2) result.push([flat[i] ?? '', flat[i + 1] ?? ''])
  return result
}

function joinHeaders(headers: Part['headers']): Record<string, string> {
  const joined: Record<string, string> = {}
  for (const [name, value] of headers) {
    const key = name.toLowerCase()
    joined[key] = key in joined ? `${joined[key]}, ${value}` : value
  }
  return joined
}
