import { type Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Socket } from 'node:net'
import { pipeline } from 'node:stream'
import { TLSSocket } from 'node:tls'
import { constants, createUnzip } from 'node:zlib'
import { type Agents, createAgents, isSecure, tlsOptions } from './connect.ts'
import { failureReason, isOfClosedConnection } from './failure-reason.ts'
import { isOfReverseProxy, isProxyStatus, ProxyFailed, ServerDown } from './proxied.ts'
import { beginExchange, type Recorder } from './recorder.ts'
import type { Request } from './request.ts'
import { evidenceOf, type HttpResponse, longestBody, NoResponse, type Received, recordResponse } from './response.ts'
import { proxyAddress, type Transport } from './transport.ts'
import {
  equalWaits,
  laterRequest,
  NoHandshake,
  type Pace,
  TookTooLong,
  unendedResponse,
  type Wait,
  type Waits,
} from './wait.ts'

export interface ClientOptions {
  /** Base URL without a trailing slash. */
  readonly baseUrl: string
  readonly transport: Transport
  readonly timeoutMs: number
  readonly pace: Pace
  readonly recorder: Recorder
  /** Default: every response may take until the timeout. */
  readonly waits?: Waits
}

/** Sends requests and records them. Throws `NoResponse` if there is no response. */
export type Client = (request: Request) => Promise<HttpResponse>

export interface PersistentClient extends Client {
  /** Closes idle connections, except the `kept` ones that were used last. Those to an ended instance would fail. */
  closeIdle(kept?: number): void
}

/**
 * A client for one server. Reads share a connection. Every other request has its own connection unless connections are
 * persistent or the request follows a read: a server may close an idle connection at any time, and a write that is lost
 * in that race must not be repeated.
 */
export function createClient(options: ClientOptions): PersistentClient {
  const agents = createAgents(options.baseUrl, options.transport)
  const forWrites = options.transport.persistent ? agents.shared : agents.own
  const waits = options.waits ?? equalWaits(options.timeoutMs)

  const send: Client = async (request) => {
    const pace = options.pace()
    // The next request waits for both.
    if (!request.followsRead) await pace
    const record = beginExchange(options.recorder, {
      method: request.method,
      url: options.baseUrl + request.path,
      headers: Object.entries(request.headers),
      body: request.body === null ? null : request.body.toString('utf8'),
    })
    const wait = waits.forRequest(request)
    const transmission = ['GET', 'OPTIONS'].includes(request.method)
      ? transmitRead(request, wait, options, agents)
      : transmit(request, wait, options, request.followsRead === 'shared' ? agents.shared : forWrites)
    const response = await transmission.catch((cause: unknown) => {
      const { proxy } = options.transport
      const through = proxy === null ? '' : ` (through the proxy ${proxyAddress(proxy)})`
      const reason = `${failureReason(cause)}${through}`
      const hang = cause instanceof TookTooLong ? wait.known() : null
      if (cause instanceof TookTooLong) wait.hung()
      const more = hang === null ? '' : `, as in earlier requests: ${hang.sentence}`
      const message = `no response to ${request.method} ${request.path}: ${reason}${more}`
      const received = cause instanceof ServerDown ? evidenceOf(cause.response) : null
      throw new NoResponse(message, record(received, reason), { cause, isKnownHang: hang?.isSure ?? false })
    })
    wait.ended(response.status)
    return recordResponse(response, record)
  }
  return Object.assign(send, { closeIdle: agents.closeIdle })
}

const ofReusedConnections = new WeakSet<Error>()

/** Whether a request failed with this error because a reused connection was closed. */
export function isOfReusedConnection(error: unknown): boolean {
  return error instanceof Error && ofReusedConnections.has(error) && isOfClosedConnection(error)
}

/** Repeats a read once if the server had just closed the shared connection. */
async function transmitRead(request: Request, wait: Wait, options: ClientOptions, agents: Agents): Promise<Received> {
  try {
    return await transmit(request, wait, options, agents.shared)
  } catch (error) {
    if (!isOfReusedConnection(error)) throw error
    return await transmit(request, wait, options, agents.own)
  }
}

async function transmit(request: Request, wait: Wait, options: ClientOptions, agent: Agent): Promise<Received> {
  const response = await sendWithin(wait, request, options, agent)
  // Through a tunnel every response comes from the target. Otherwise the proxy may have sent it.
  const { baseUrl, transport } = options
  if (transport.proxy !== null && !isSecure(baseUrl) && isProxyStatus(response.status)) {
    throw new ProxyFailed(response.status)
  }
  if (transport.gateway && isOfReverseProxy(response)) throw new ServerDown(response)
  return response
}

function prepare(request: Request, { baseUrl, transport }: ClientOptions, agent: Agent): ClientRequest {
  const { method, path, headers, body } = request
  const send = isSecure(baseUrl) ? httpsRequest : httpRequest
  const options = { method, path: pathOf(`${baseUrl}${path}`), headers, agent, ...tlsOptions(transport) }
  const sent = send(new URL(baseUrl), options)
  if (method !== 'HEAD' && !sent.hasHeader('Accept-Encoding')) sent.setHeader('Accept-Encoding', 'gzip, deflate')
  if (body !== null && !sent.hasHeader('Content-Length')) sent.setHeader('Content-Length', body.length)
  return sent
}

/** Path and query, encoded as in any URL, but with the segments `.` and `..`, which a URL would resolve. */
function pathOf(url: string): string {
  const { pathname, search } = new URL(url.replace(/\/(?:\.|%2e){1,2}(?=[/?#]|$)/gi, `$&${kept}`))
  return `${pathname}${search}`.replaceAll(kept, '')
}

const kept = '-kept-'

const requestsOf = new WeakMap<Socket, number>()

function sendWithin(wait: Wait, request: Request, options: ClientOptions, agent: Agent): Promise<Received> {
  const startedAt = performance.now()
  let timer: NodeJS.Timeout | undefined
  const received = new Promise<Received>((resolve, reject) => {
    const sent = prepare(request, options, agent)
    let hasResponse = false
    const end = (error: Error) => {
      reject(error)
      sent.destroy()
    }
    const giveUp = () => end(new TookTooLong())
    timer = setTimeout(giveUp, wait.limitMs())
    const expectHandshake = (socket: Socket) => {
      // Without a connection the server is not to blame for a missing handshake.
      if (socket.connecting) return void socket.once('connect', () => expectHandshake(socket))
      const handshake = setTimeout(() => end(new NoHandshake()), wait.limitMs() / 2)
      for (const event of ['secureConnect', 'close']) socket.once(event, () => clearTimeout(handshake))
    }
    const note = (hang: string) => {
      wait.note(hang)
      clearTimeout(timer)
      timer = setTimeout(giveUp, startedAt + wait.limitMs() - performance.now())
    }
    // Bytes after a complete response are ignored; an incomplete one has its own error.
    sent.on('error', (error) => {
      if (sent.reusedSocket) ofReusedConnections.add(error)
      if (!hasResponse) reject(error)
    })
    sent.once('socket', (socket) => {
      const place = (requestsOf.get(socket) ?? 0) + 1
      requestsOf.set(socket, place)
      if (place > 1) note(laterRequest(place))
      else if (socket instanceof TLSSocket) expectHandshake(socket)
    })
    sent.once('response', (response) => {
      hasResponse = true
      note(unendedResponse(response.statusCode ?? 0))
      receive(response).then(resolve, reject)
    })
    sent.end(request.body ?? undefined)
  })
  return received.finally(() => clearTimeout(timer))
}

async function receive(response: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = []
  let left = longestBody
  for await (const chunk of plain(response)) {
    chunks.push(chunk)
    left -= chunk.length
    if (left < 0) break
  }
  const { statusCode: status = 0, statusMessage: reason = '' } = response
  // Node.js joins repeated headers except Set-Cookie.
  const headers = Object.entries(response.headers).map(
    ([name, value]) => [name, [value ?? ''].flat().join(', ')] as const,
  )
  return { status, reason, headers, body: Buffer.concat(chunks) }
}

/** The decompressed body. If it ends too early, the body shows it. */
function plain(response: IncomingMessage): NodeJS.ReadableStream & AsyncIterable<Buffer> {
  if (!/^\s*(deflate|(x-)?gzip)\s*$/i.test(response.headers['content-encoding'] ?? '')) return response
  return pipeline(response, createUnzip({ finishFlush: constants.Z_SYNC_FLUSH }), () => undefined)
}
