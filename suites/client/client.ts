import type { Agent, ClientRequest, IncomingMessage } from 'node:http'
import { performance } from 'node:perf_hooks'
import supertest from 'supertest'
import { type Agents, createAgents } from './agents.ts'
import { failureReason } from './failure-reason.ts'
import type { Pace } from './pace.ts'
import { isOfProxy, ProxyFailed } from './proxied.ts'
import type { Recorder } from './recorder.ts'
import { type HttpResponse, NoResponse, responseOf, unusualReason } from './response.ts'
import { proxyAddress, type Transport } from './transport.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS'

export interface Request {
  readonly method: Method
  /** Path and query as sent, e.g. `/api/rules/3`. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | null
}

export interface ClientOptions {
  /** Base URL without a trailing slash. */
  readonly baseUrl: string
  readonly transport: Transport
  readonly timeoutMs: number
  readonly pace: Pace
  readonly recorder: Recorder
}

/** Sends requests and records them; throws `NoResponse` without a response. */
export type Client = (request: Request) => Promise<HttpResponse>

/** A client whose server may be restarted. */
export interface PersistentClient extends Client {
  /** Closes idle connections: those to an ended instance would fail. */
  closeIdle(): void
}

/**
 * A client for one server. Reads share a connection. Every other request has its own connection
 * unless connections are persistent: a server may close an idle connection at any time, and a write
 * that is lost in that race must not be sent again.
 */
export function createClient(options: ClientOptions): PersistentClient {
  const agents = createAgents(options.baseUrl, options.transport)
  const forWrites = options.transport.persistent ? agents.shared : agents.own

  const send: Client = async (request) => {
    await options.pace()
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
    const transmission = isRead(request)
      ? transmitRead(request, options, agents)
      : transmit(request, options, forWrites)
    const response = await transmission.catch((cause: unknown) => {
      const reason = reasonFor(cause, options.transport)
      throw new NoResponse(`no response to ${request.method} ${request.path}: ${reason}`, record(null, reason), {
        cause,
      })
    })
    const bytes: Buffer = Buffer.isBuffer(response.body) ? response.body : Buffer.alloc(0)
    const headers = headersOf(response)
    const reason = unusualReason(response.status, statusMessageOf(response))
    const exchange = record({ status: response.status, ...reason, headers, body: bytes.toString('utf8') }, null)
    return responseOf(response.status, Object.fromEntries(headers), bytes, exchange)
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

/** Sends a read once more if the server had just closed the shared connection. */
async function transmitRead(request: Request, options: ClientOptions, agents: Agents): Promise<supertest.Response> {
  const test = prepare(request, options, agents.shared)
  try {
    return await throughProxy(test, options)
  } catch (error) {
    const { reusedSocket } = requestOf(test) ?? {}
    if (reusedSocket !== true || (error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error
    return await transmit(request, options, agents.own)
  }
}

function transmit(request: Request, options: ClientOptions, agent: Agent): Promise<supertest.Response> {
  return throughProxy(prepare(request, options, agent), options)
}

/** A response of the proxy itself is no response of the target. */
async function throughProxy(test: supertest.Test, { transport }: ClientOptions): Promise<supertest.Response> {
  if (transport.proxy === null) return await test
  let rejected: number | null = null
  let tunnelled = false
  test.once('request', () => {
    requestOf(test)?.once('proxyConnect', ({ statusCode }: { readonly statusCode?: number }) => {
      tunnelled = statusCode !== undefined
      if (statusCode !== undefined && statusCode !== 200) rejected = statusCode
    })
  })
  const response = await test.catch((error: unknown) => {
    throw rejected === null ? error : new ProxyFailed(rejected)
  })
  if (rejected !== null) throw new ProxyFailed(rejected)
  // Through a tunnel every response is the target's. Without a tunnel the proxy may have sent it.
  if (!tunnelled && isOfProxy(response.status)) throw new ProxyFailed(response.status)
  return response
}

function requestOf(test: supertest.Test): ClientRequest | undefined {
  return (test as unknown as { readonly req?: ClientRequest }).req
}

function prepare(request: Request, options: ClientOptions, agent: Agent): supertest.Test {
  const { ca, insecure } = options.transport
  const method = request.method.toLowerCase() as Lowercase<Method>
  const test = supertest(options.baseUrl)
    [method](request.path)
    .agent(agent)
    .redirects(0)
    .timeout({ deadline: options.timeoutMs })
    .ok(() => true)
    .buffer(true)
    .parse(collectBytes)
    .serialize((body: unknown) => body as string)
  if (ca !== null) test.ca(ca)
  if (insecure) test.disableTLSCerts()
  for (const [name, value] of Object.entries(request.headers)) test.set(name, value)
  if (request.body !== null) test.send(request.body as unknown as string)
  return test
}

// superagent passes the response stream here; its types say otherwise.
function collectBytes(response: unknown, done: (error: Error | null, body: Buffer) => void): void {
  const stream = response as NodeJS.ReadableStream
  const chunks: Buffer[] = []
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  stream.on('end', () => done(null, Buffer.concat(chunks)))
}

// superagent stores the response of Node.js here; its types omit it.
function statusMessageOf(response: supertest.Response): string | undefined {
  return (response as unknown as { readonly res?: IncomingMessage }).res?.statusMessage
}
