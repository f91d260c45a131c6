import { Agent } from 'node:http'
import { Agent as TlsAgent } from 'node:https'
import { performance } from 'node:perf_hooks'
import supertest from 'supertest'
import { type Answer, answerOf, NoAnswer } from './answer.ts'
import type { Pace } from './pace.ts'
import type { Recorder } from './recorder.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS'

export interface Request {
  readonly method: Method
  /** Path and query as they go over the wire, e.g. `/api/rules/3`. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | null
}

export interface ClientOptions {
  /** Base URL without a slash at the end. */
  readonly baseUrl: string
  readonly timeoutMs: number
  readonly pace: Pace
  readonly recorder: Recorder
}

/** Sends requests and records them; throws `NoAnswer` where none comes back. */
export type Client = (request: Request) => Promise<Answer>

/**
 * A client for one server. Reads share a connection. Every other request has one of its own: a
 * server may close an idle connection whenever it likes, and a write that is lost in that race must
 * not be sent again.
 */
export function createClient(options: ClientOptions): Client {
  const AnyAgent = new URL(options.baseUrl).protocol === 'https:' ? TlsAgent : Agent
  const agents = { shared: new AnyAgent({ keepAlive: true }), own: new AnyAgent({ keepAlive: false }) }

  return async (request) => {
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
    try {
      const response = await (isRead(request)
        ? transmitRead(request, options, agents)
        : transmit(request, options, agents.own))
      const bytes: Buffer = Buffer.isBuffer(response.body) ? response.body : Buffer.alloc(0)
      const exchange = record(
        { status: response.status, headers: Object.entries(response.headers), body: bytes.toString('utf8') },
        null,
      )
      return answerOf(response.status, response.headers, bytes, exchange)
    } catch (cause) {
      const reason = reasonOf(cause)
      throw new NoAnswer(`no answer to ${request.method} ${request.path}: ${reason}`, record(null, reason), { cause })
    }
  }
}

function isRead({ method }: Request): boolean {
  return method === 'GET' || method === 'OPTIONS'
}

/** A read that met a shared connection which the server had just closed is sent once more. */
async function transmitRead(
  request: Request,
  options: ClientOptions,
  agents: { readonly shared: Agent; readonly own: Agent },
): Promise<supertest.Response> {
  const test = transmit(request, options, agents.shared)
  try {
    return await test
  } catch (error) {
    const { reusedSocket } = (test as unknown as { req?: { reusedSocket?: boolean } }).req ?? {}
    if (reusedSocket !== true || (error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error
    return await transmit(request, options, agents.own)
  }
}

function transmit(request: Request, options: ClientOptions, agent: Agent): supertest.Test {
  const method = request.method.toLowerCase() as Lowercase<Method>
  const test = supertest(options.baseUrl)
    [method](request.path)
    .agent(agent)
    .redirects(0)
    .timeout({ response: options.timeoutMs, deadline: options.timeoutMs })
    .ok(() => true)
    .buffer(true)
    .parse(collectBytes)
    .serialize((body: unknown) => body as string)
  for (const [name, value] of Object.entries(request.headers)) test.set(name, value)
  if (request.body !== null) test.send(request.body as unknown as string)
  return test
}

// superagent hands over the plain response stream here, whatever its types say.
function collectBytes(response: unknown, done: (error: Error | null, body: Buffer) => void): void {
  const stream = response as NodeJS.ReadableStream
  const chunks: Buffer[] = []
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  stream.on('end', () => done(null, Buffer.concat(chunks)))
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  const code = (cause as NodeJS.ErrnoException).code
  if (code === 'ECONNREFUSED' || cause.message.startsWith('ECONNREFUSED')) return 'the connection was refused'
  if (code === 'ECONNRESET') return 'the connection was cut off'
  if (code === 'ECONNABORTED' || code === 'ETIMEDOUT' || code === 'ETIME') return 'it took too long'
  return cause.message
}
