import { METHODS, type Server } from 'node:http'
import { type Duplex, duplexPair } from 'node:stream'
import { errorToResponse, type HttpApi, type ParseProblem } from './api.ts'
import type { Connections } from './connections.ts'
import { type HttpResponse, responseHead } from './response.ts'

/** The fields that Node adds to errors of its HTTP parser. */
interface ParserError extends Error {
  readonly code?: string
  /** How much of the packet was parsed. */
  readonly bytesParsed?: number
  /** The bytes that arrived last, which contain the error. */
  readonly rawPacket?: Buffer
}

/** How long a client may take to read its response before the connection is destroyed. */
const lingerMs = 1_000

/** Responds to bytes that are not valid HTTP, for which Node emits no request. */
export function answerClientErrors(server: Server, api: HttpApi, connections: Connections): void {
  // Node also reports every packet after the invalid one here.
  const onLaterPacket = new WeakMap<Duplex, (packet: Buffer) => void>()
  server.on('clientError', (error: ParserError, socket: Duplex) => {
    const onPacket = onLaterPacket.get(socket)
    if (onPacket !== undefined) {
      if (error.rawPacket !== undefined) onPacket(error.rawPacket)
      return
    }
    const last = connections.lastResponse(socket)
    const hasResponse = last !== undefined && !last.req.complete && last.headersSent
    if (!socket.writable || error.code === 'ECONNRESET' || hasResponse) {
      socket.destroy()
      return
    }
    onLaterPacket.set(socket, () => undefined)
    const settle = () => {
      const request = unknownMethodRequest(error)
      const outcome = outcomeOf(request, error, api)
      if (request !== undefined && 'replaceBy' in outcome) {
        onLaterPacket.set(socket, replay(server, socket, { method: outcome.replaceBy, rest: request.rest }))
        return
      }
      const response = errorToResponse(outcome, api)
      if (response === undefined) socket.destroy()
      else respond(socket, response, api.reasonPhrase?.(response.status))
    }
    // The response must not be sent before the response to the previous request.
    if (last?.req.complete && !last.writableFinished) last.once('close', settle)
    else settle()
  })
}

function outcomeOf(request: UnknownMethodRequest | undefined, error: ParserError, api: HttpApi) {
  if (request === undefined) return api.unparsable(parseProblem(error), error.code ?? '')
  return request.isKnownInUpperCase ? api.lowerCaseMethod(request.method) : api.unknownMethod(request.method)
}

function parseProblem({ code }: ParserError): ParseProblem {
  if (code === 'HPE_HEADER_OVERFLOW') return 'headers-too-large'
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'timed-out' : 'malformed'
}

function respond(socket: Duplex, { status, headers, body = new Uint8Array() }: HttpResponse, phrase?: string): void {
  const fields = { ...headers, 'Content-Length': body.length, 'Connection': 'close' }
  socket.write(responseHead(status, fields, phrase))
  socket.end(body)
  const linger = setTimeout(() => socket.destroy(), lingerMs).unref()
  socket.once('close', () => clearTimeout(linger))
}

/**
 * Serves a request that the parser rejected because of its method, with another method instead. The parser cannot be
 * reused for this connection, so the server gets a second connection inside the process, whose other end is joined to
 * the same socket and which ends with this request.
 * @returns a function to call with what the client sends later, e.g. the body
 */
function replay(server: Server, socket: Duplex, { method, rest }: Omit<UnknownMethodRequest, 'isKnownInUpperCase'>) {
  const [second, outside] = duplexPair()
  outside.pipe(socket)
  // Destroying one side of a pair does not destroy the other.
  second.once('close', () => {
    if (!second.writableFinished) socket.destroy()
  })
  socket.once('close', () => second.destroy())
  server.emit('connection', second)
  const headEnds = rest.indexOf('\n') + 1
  const head = [method, rest.subarray(0, headEnds), 'Connection: close\r\n']
  outside.write(Buffer.concat([...head.map((part) => Buffer.from(part)), rest.subarray(headEnds)]))
  return (packet: Buffer) => void outside.write(packet)
}

/** A request line with a method that the parser does not know. */
type UnknownMethodRequest = NonNullable<ReturnType<typeof unknownMethodRequest>>

const requestLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) \S+ HTTP\/1\.[01]\r?\n/

/** The request, if it was rejected because of its method; otherwise undefined. */
function unknownMethodRequest({ code, rawPacket, bytesParsed = 0 }: ParserError) {
  if (code !== 'HPE_INVALID_METHOD' || rawPacket === undefined) return undefined
  const start = bytesParsed === 0 ? 0 : rawPacket.lastIndexOf('\n', bytesParsed - 1) + 1
  const request = rawPacket.subarray(start)
  const method = requestLine.exec(request.toString('latin1'))?.[1]
  if (method === undefined) return undefined
  const upper = method.toUpperCase()
  const isKnownInUpperCase = upper !== method && METHODS.includes(upper)
  // The rest is everything after the method.
  return { method, isKnownInUpperCase, rest: request.subarray(method.length) }
}
