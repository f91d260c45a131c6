import type { Agent, ClientRequest, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import { TLSSocket } from 'node:tls'
import supertest from 'supertest'
import { type Agents, createAgents, isOfReusedConnection, isSecure } from './agents.ts'
import { failureReason, isOfClosedConnection } from './failure-reason.ts'
import type { Pace } from './pace.ts'
import { isProxyStatus, ProxyFailed } from './proxied.ts'
import type { Recorder } from './recorder.ts'
import { decodeBody, type HttpResponse, longestBody, NoResponse, unusualReason } from './response.ts'
import { proxyAddress, type Transport } from './transport.ts'
import { equalWaits, laterRequest, NoHandshake, TookTooLong, unendedResponse, type Wait, type Waits } from './wait.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS'

export interface Request {
  readonly method: Method
  /** Path and query as sent, e.g. `/api/rules/3`. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | null
  /**
   * Sends immediately, on the connection of the previous read, to leave other clients less time for changes. If there
   * is no response, the request may be lost because the server had just closed that connection.
   */
  readonly followsRead?: true
}

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

/** A client whose server may be restarted. */
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
    const startedAt = new Date().toISOString()
    const start = performance.now()
    const sent = {
      method: request.method,
      url: options.baseUrl + request.path,
      headers: Object.entries(request.headers),
      body: request.body === null ? null : request.body.toString('utf8'),
    }
    const record = (response: Parameters<Recorder['record']>[0]['response'], failure: string | null) =>
      options.recorder.record({
        startedAt,
        durationMs: performance.now() - start,
        request: sent,
        response,
        failure,
      })
    const wait = waits.forRequest(request)
    const transmission = isRead(request)
      ? transmitRead(request, wait, options, agents)
      : transmit(request, wait, options, request.followsRead ? agents.shared : forWrites)
    const response = await transmission.catch((cause: unknown) => {
      const reason = reasonFor(cause, options.transport)
      const hang = cause instanceof TookTooLong ? wait.known() : null
      const isKnownHang = hang !== null && wait.isSure()
      if (cause instanceof TookTooLong) wait.hung()
      const more = hang === null ? '' : `, as in earlier requests: ${hang}`
      const message = `no response to ${request.method} ${request.path}: ${reason}${more}`
      throw new NoResponse(message, record(null, reason), { cause, isKnownHang })
    })
    wait.ended(response.status)
    const { bytes, statusMessage } = receivedOf(response)
    const headers = headersOf(response)
    const reason = unusualReason(response.status, statusMessage)
    const body = decodeBody(bytes)
    const exchange = record({ status: response.status, ...reason, headers, body: body.text }, null)
    return { status: response.status, headers: Object.fromEntries(headers), ...body, exchange }
  }
  return Object.assign(send, { closeIdle: agents.closeIdle })
}

/** Node.js joins repeated headers except Set-Cookie. */
function headersOf({ headers }: supertest.Response): readonly (readonly [string, string])[] {
  return Object.entries(headers as Readonly<Record<string, string | readonly string[]>>).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : value.join(', '),
  ])
}

function reasonFor(cause: unknown, { proxy }: Transport): string {
  const reason = failureReason(cause)
  return proxy === null ? reason : `${reason} (through the proxy ${proxyAddress(proxy)})`
}

function isRead({ method }: Request): boolean {
  return method === 'GET' || method === 'OPTIONS'
}

/** Repeats a read once if the server had just closed the shared connection. */
async function transmitRead(
  request: Request,
  wait: Wait,
  options: ClientOptions,
  agents: Agents,
): Promise<supertest.Response> {
  try {
    return await transmit(request, wait, options, agents.shared)
  } catch (error) {
    if (!isOfReusedConnection(error) || !isOfClosedConnection(error)) throw error
    return await transmit(request, wait, options, agents.own)
  }
}

async function transmit(
  request: Request,
  wait: Wait,
  options: ClientOptions,
  agent: Agent,
): Promise<supertest.Response> {
  const response = await sendWithin(wait, prepare(request, options, agent))
  // Through a tunnel every response comes from the target. Otherwise the proxy may have sent it.
  const { baseUrl, transport } = options
  if (transport.proxy !== null && !isSecure(baseUrl) && isProxyStatus(response.status)) {
    throw new ProxyFailed(response.status)
  }
  return response
}

function prepare(request: Request, options: ClientOptions, agent: Agent): supertest.Test {
  const { ca, insecure } = options.transport
  const method = request.method.toLowerCase() as Lowercase<Method>
  const test = supertest(options.baseUrl)
    [method](request.path)
    .agent(agent)
    .redirects(0)
    .ok(() => true)
    .buffer(true)
    .parse(receive)
    .serialize((body: unknown) => body as string)
  if (ca !== null) test.ca(ca)
  if (insecure) test.disableTLSCerts()
  for (const [name, value] of Object.entries(request.headers)) test.set(name, value)
  if (request.body !== null) test.send(request.body as unknown as string)
  return test
}

/** The result of the parser, which superagent stores as the body. */
interface Received {
  readonly bytes: Buffer
  readonly statusMessage: string | undefined
}

/** The number of requests on each connection. */
const requestsOf = new WeakMap<Socket, number>()

/** Sends a request and waits for the complete response. */
function sendWithin(wait: Wait, test: supertest.Test): Promise<supertest.Response> {
  const startedAt = performance.now()
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      reject(new TookTooLong())
      test.abort()
    }
    let timer = setTimeout(giveUp, wait.limitMs())
    const expectHandshake = (socket: Socket) => {
      const noHandshake = () => {
        reject(new NoHandshake())
        test.abort()
      }
      const handshake = setTimeout(noHandshake, wait.limitMs() / 2)
      for (const event of ['secureConnect', 'close']) socket.once(event, () => clearTimeout(handshake))
    }
    const note = (hang: string) => {
      wait.note(hang)
      clearTimeout(timer)
      timer = setTimeout(giveUp, startedAt + wait.limitMs() - performance.now())
    }
    test.then(resolve, reject).finally(() => clearTimeout(timer))
    // The request is created when the wait starts.
    const { req: sent } = test as unknown as { readonly req: ClientRequest }
    sent.once('socket', (socket) => {
      const place = (requestsOf.get(socket) ?? 0) + 1
      requestsOf.set(socket, place)
      if (place > 1) note(laterRequest(place))
      else if (socket instanceof TLSSocket) expectHandshake(socket)
    })
    sent.once('response', ({ statusCode = 0 }) => note(unendedResponse(statusCode)))
  })
}

// The parser receives the response of Node.js, although the types say otherwise.
function receive(response: unknown, done: (error: Error | null, body: Received) => void): void {
  const stream = response as IncomingMessage
  const chunks: Buffer[] = []
  let left = longestBody
  const finish = () => done(null, { bytes: Buffer.concat(chunks), statusMessage: stream.statusMessage })
  stream.on('data', (chunk: Buffer) => {
    if (left < 0) return
    left -= chunk.length
    chunks.push(chunk)
    if (left >= 0) return
    finish()
    stream.destroy()
  })
  stream.on('end', finish)
}

/** A response to HEAD is not parsed. */
function receivedOf({ body }: supertest.Response): Received {
  const { bytes = Buffer.alloc(0), statusMessage } = body as Partial<Received>
  return { bytes, statusMessage }
}
